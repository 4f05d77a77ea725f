import { merge, type Payload, split } from '#core/data'

/** Payloads that wait to be sent together. Adding and taking whole is a list operation; only cutting reads lengths. */
export class Pending {
  #payloads: Payload[] = []
  #items = 0

  get items(): number {
    return this.#items
  }

  add(payload: Payload): void {
    this.#payloads.push(payload)
    this.#items += payload.items
  }

  /** Everything, or the first `max` items when there are more (0: no limit). There must be something. */
  take(max: number): Payload {
    if (max > 0 && this.#items > max) {
      if (this.#payloads[0]!.items !== max) this.#payloads = split(merge(this.#payloads), { items: max })
      const first = this.#payloads.shift()!
      this.#items -= first.items
      return first
    }
    const all = this.#payloads.length === 1 ? this.#payloads[0]! : merge(this.#payloads)
    this.#payloads = []
    this.#items = 0
    return all
  }
}
