/** What came of one request: told once all its items have been handed on or refused. */
interface Receipt {
  readonly items: number
  left: number
  /** Items handed on so far. */
  delivered: number
  error: unknown
  settle(receipt: Receipt): void
}

/** The senders who wait for the outcome of their requests, in the order of the items. */
export class Receipts {
  readonly #open: Receipt[] = []

  /**
   * Resolves once all `items` were handed on; rejects with the first error otherwise, after telling `onFailure` how many
   * of them were handed on nevertheless.
   */
  wait(items: number, onFailure: (delivered: number) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#open.push({
        items,
        left: items,
        delivered: 0,
        error: undefined,
        settle({ error, delivered }) {
          if (error === undefined) return resolve()
          onFailure(delivered)
          reject(error)
        },
      })
    })
  }

  /** The next `items` items have been handed on, or refused with `error`. */
  settle(items: number, error?: unknown): void {
    let rest = items
    while (rest > 0 && this.#open.length > 0) {
      const receipt = this.#open[0]!
      const share = Math.min(rest, receipt.left)
      receipt.left -= share
      rest -= share
      if (error === undefined) receipt.delivered += share
      else receipt.error ??= error
      if (receipt.left === 0) {
        this.#open.shift()
        receipt.settle(receipt)
      }
    }
  }
}
