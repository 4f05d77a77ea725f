/** `write` is the connection of transactions, `read` never waits for one. */
export type Lane = 'read' | 'write'
export type SqlValue = null | number | bigint | string | Uint8Array

/** A statement; the next part of a result; the file for oneself alone; or the end. */
export type SqliteCall =
  | { readonly kind: 'run'; readonly lane: Lane; readonly sql: string; readonly parameters: readonly SqlValue[] }
  | { readonly kind: 'more'; readonly rest: number }
  | { readonly kind: 'hold' | 'close' }

/** Rows of a result, or of a part of it: then `rest` is what to ask for. */
export interface Part {
  readonly columns: readonly string[]
  readonly rows: readonly SqlValue[][]
  readonly changes: number
  readonly rest?: number
}
