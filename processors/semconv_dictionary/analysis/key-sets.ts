/** Which attribute names were seen together with each metric and event. */
export class KeySets {
  /** By kind and number: the hash of the set seen last, so that a series of alike points costs one comparison. */
  readonly #last: Map<number, { high: number; low: number; readonly ids: Set<number> }>[] = []

  /** The numbers among `ids` that are new for this owner; `undefined` when none is. */
  add(kind: number, owner: number, high: number, low: number, ids: readonly number[]): number[] | undefined {
    this.#last[kind] ??= new Map()
    const known = this.#last[kind].get(owner)
    if (known === undefined) {
      this.#last[kind].set(owner, { high, low, ids: new Set(ids) })
      return ids.length > 0 ? [...new Set(ids)] : undefined
    }
    if (known.high === high && known.low === low) return undefined
    known.high = high
    known.low = low
    let added: number[] | undefined
    for (const id of ids) {
      if (known.ids.has(id)) continue
      known.ids.add(id)
      added ??= []
      added.push(id)
    }
    return added
  }
}
