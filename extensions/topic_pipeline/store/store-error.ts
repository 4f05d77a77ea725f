/** The store cannot be opened. */
export class StoreError extends Error {
  override name = 'StoreError'
}
