import type { Excerpt, Origin, SourceTexts } from '#core/config'
import type { SecrecyByFile } from './secrecy.ts'

/** The same faults or warnings, with the lines that they are about. */
export function illustrate<F extends { readonly origin?: Origin; readonly excerpt?: Excerpt }>(
  findings: readonly F[],
  texts: SourceTexts,
  secrecyIn: SecrecyByFile,
): F[] {
  return findings.map(finding => {
    const { origin } = finding
    const excerpt = origin && texts.get(origin.file)?.excerptAt(origin.line, origin.column, secrecyIn(origin.file))
    return excerpt === undefined ? finding : { ...finding, excerpt }
  })
}
