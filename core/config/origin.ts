/** Where a value was written. Lines and columns count from 1. */
export interface Origin {
  /**
   * A path as it was given, `env:NAME`, `yaml:KEY`, `--set KEY`, or a URL without credentials and query. It never holds
   * a value.
   */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The reference that brought the value, for example `env:NAME`, when the text at this place was `${env:NAME}`. */
  readonly via?: string
}

/** `file:line:column`, as editors and terminals turn into a link. */
export function formatOrigin(origin: Origin): string {
  return `${origin.file}:${origin.line}:${origin.column}`
}

/** Orders by file, then line, then column. */
export function compareOrigins(a: Origin, b: Origin): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column
}
