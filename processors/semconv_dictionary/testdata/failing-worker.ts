/** A worker that fails at every task. */
export function analyze(): never {
  throw new Error('worker fails')
}
