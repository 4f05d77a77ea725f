import {
  type DiagnosticCode,
  type Excerpt,
  formatOrigin,
  type Origin,
  type SourceTexts,
  type Warning,
} from '#core/config'
import type { SecrecyByFile } from './secrecy.ts'

interface Finding {
  readonly code?: DiagnosticCode
  readonly origin?: Origin
  readonly excerpt?: Excerpt
  readonly hint?: string
}

/** The same faults or warnings, with the lines that they are about, and with what the texts of the sources explain. */
export function illustrate<F extends Finding>(
  findings: readonly F[],
  texts: SourceTexts,
  secrecyIn: SecrecyByFile,
): F[] {
  return findings.map(finding => {
    const { origin } = finding
    const excerpt = origin && texts.get(origin.file)?.excerptAt(origin.line, origin.column, secrecyIn(origin.file))
    const hint = notYaml(finding, texts)
    return { ...finding, ...(excerpt && { excerpt }), ...(hint !== undefined && { hint }) }
  })
}

/** A reference may have brought a text that was meant to be YAML and is not. */
function notYaml({ code, origin }: Finding, texts: SourceTexts): string | undefined {
  const error = code === 'wrong-type' && origin?.via !== undefined ? texts.notYaml(origin.via) : undefined
  return error && `${formatOrigin(error.origin)}: it is not valid YAML, so it counts as a string: ${error.message}`
}

/** Documents after the first one of a file: as in the Collector, nobody reads them. */
export function furtherDocuments(texts: SourceTexts): Warning[] {
  return texts.configurations.flatMap(({ file }): Warning[] => {
    const line = texts.get(file)?.furtherDocument
    if (line === undefined) return []
    const message = 'only the first document of a source is read'
    return [{ level: 'warn', message, code: 'further-documents', origin: { file, line, column: 1 } }]
  })
}
