import {
  type Checked,
  type ConfigNode,
  type DiagnosticCode,
  type Fault,
  joinPath,
  type Origin,
  type Warning,
} from '#core/config'

/** Gathers what is wrong or worth mentioning, so that everything is told at once. */
export class Findings {
  /** Found while decoding: shapes, types, names. */
  readonly decoding: Fault[] = []
  /** Found by looking at what was decoded. */
  readonly validation: Fault[] = []
  readonly warnings: Warning[] = []
  /** Whether every component could be loaded, so that a type that is not known is a fault. */
  readonly complete: boolean

  /** @param missing why components could not be loaded */
  constructor(missing: readonly Fault[] = []) {
    this.complete = missing.length === 0
    this.decoding.push(...missing)
  }

  /** A fault of decoding. */
  add(path: readonly string[], message: string, origin: Origin | undefined, more: More = INVALID): void {
    this.decoding.push(fault(path, message, origin, more))
  }

  /** A fault of meaning. */
  object(path: readonly string[], message: string, origin: Origin | undefined, more: More = INVALID): void {
    this.validation.push(fault(path, message, origin, more))
  }

  /**
   * A fault that a component's own check found in the value of `node`.
   * @param text a sentence, prefixed with `key: ` or `key::key: ` when it is about one option
   */
  complain(path: readonly string[], text: string, node: ConfigNode): void {
    const colon = text.indexOf(': ')
    const about = text.slice(0, Math.max(0, colon))
    const isPath = about !== '' && !/\s/.test(about)
    const keys = isPath ? about.split('::') : []
    this.object([...path, ...keys], isPath ? text.slice(colon + 2) : text, node.originAt(keys))
  }

  warn(path: readonly string[], message: string, origin: Origin | undefined, code: DiagnosticCode): void {
    const place = origin === undefined ? {} : { origin }
    this.warnings.push({ level: 'warn', message, path: joinPath(path), code, ...place })
  }

  /** Faults and warnings of a value held against its schema. */
  take(checked: Checked<unknown>): void {
    this.decoding.push(...(checked.faults ?? []))
    this.warnings.push(...checked.warnings)
  }
}

/** What is said of a fault beside path, sentence and position. */
export interface More {
  readonly code: DiagnosticCode
  readonly suggestion?: string | undefined
  readonly hint?: string | undefined
}

const INVALID: More = { code: 'invalid-value' }

function fault(path: readonly string[], message: string, origin: Origin | undefined, more: More): Fault {
  const { code, suggestion, hint } = more
  return {
    path: joinPath(path),
    message,
    code,
    ...(origin === undefined ? {} : { origin }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(hint === undefined ? {} : { hint }),
  }
}
