/** Letters and digits a name must have for a slip of one of them to be told from another word. */
const MIN_FOR_SLIP = 8

/**
 * Finds the name that was probably meant: one with the same letters and digits in the same order (`httpMethod`,
 * `http_method` and `HTTP.Method` for `http.method`), or with one letter more, less, different or swapped.
 */
export class NearNames {
  readonly #plain = new Map<string, string>()
  /** Plain names with one letter left out, and the plain names they come from. */
  readonly #shortened = new Map<string, string[]>()

  /** @param names the first of several that read alike is preferred */
  constructor(names: Iterable<string>) {
    for (const name of names) {
      const plain = plainOf(name)
      if (plain === '' || this.#plain.has(plain)) continue
      this.#plain.set(plain, name)
      if (plain.length < MIN_FOR_SLIP) continue
      for (const short of shortened(plain)) {
        const there = this.#shortened.get(short)
        if (there === undefined) this.#shortened.set(short, [plain])
        else there.push(plain)
      }
    }
  }

  /** `undefined` when no name is near. */
  find(name: string): string | undefined {
    const plain = plainOf(name)
    const same = this.#plain.get(plain)
    if (same !== undefined) return same
    if (plain.length < MIN_FOR_SLIP) return undefined
    const candidates = this.#shortened.get(plain) ?? []
    for (const short of shortened(plain)) {
      const longer = this.#plain.get(short)
      if (longer !== undefined && short.length >= MIN_FOR_SLIP) return longer
      for (const other of this.#shortened.get(short) ?? []) if (isOneSlip(plain, other)) return this.#plain.get(other)
    }
    return candidates.length > 0 ? this.#plain.get(candidates[0]!) : undefined
  }
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function* shortened(plain: string): Iterable<string> {
  for (let at = 0; at < plain.length; at++) yield plain.slice(0, at) + plain.slice(at + 1)
}

/** Whether two texts of the same length differ in one letter, or in two neighbours that are swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let first = 0
  while (first < a.length && a[first] === b[first]) first++
  let last = a.length - 1
  while (last > first && a[last] === b[last]) last--
  return first === last || (last === first + 1 && a[first] === b[last] && a[last] === b[first])
}
