import { avalanche, hashBytes, hashLow } from './hash.ts'

/** Longest way past taken slots before the full hash decides where a name stands. */
const PROBES = 8

/**
 * Gives names, found as bytes, small numbers from 0 up, so that what is known of a name can be kept in arrays. Names that
 * were seen before are recognised without making a string: five sampled bytes choose a slot, comparing verifies.
 *
 * Hostile names can share samples on purpose; where the samples lead past too many others, a hash of all bytes with a
 * secret seed decides, in a second table.
 */
export class Interner {
  readonly #capacity: number
  readonly #seed: number
  readonly #mask: number
  /** Number of a name plus one, 0 for none. */
  readonly #sampled: Int32Array
  readonly #hashed: Int32Array
  readonly #starts: Int32Array
  readonly #lengths: Int32Array
  readonly #high: Int32Array
  readonly #low: Int32Array
  readonly names: string[] = []
  #arena = Buffer.allocUnsafeSlow(1 << 14)
  #view = new DataView(this.#arena.buffer)
  #used = 0

  /** @param capacity names at most; `find` answers -1 for further ones */
  constructor(capacity: number, seed: number) {
    const slots = 1 << Math.ceil(Math.log2(capacity * 2))
    this.#capacity = capacity
    this.#seed = seed
    this.#mask = slots - 1
    this.#sampled = new Int32Array(slots)
    this.#hashed = new Int32Array(slots)
    this.#starts = new Int32Array(capacity)
    this.#lengths = new Int32Array(capacity)
    this.#high = new Int32Array(capacity)
    this.#low = new Int32Array(capacity)
  }

  get size(): number {
    return this.names.length
  }

  /** The two halves of the hash of a name. */
  high(id: number): number {
    return this.#high[id]!
  }
  low(id: number): number {
    return this.#low[id]!
  }

  /** The number of the name that stands in `[start, end)`, a new one at its first appearance; -1 when there is no room. */
  find(b: Buffer, start: number, end: number, v: DataView): number {
    const length = end - start
    const sample =
      Math.imul(b[start]!, 0x9e37) ^
      Math.imul(b[start + (length >> 2)]!, 0x85eb) ^
      Math.imul(b[start + (length >> 1)]!, 0xc2b3) ^
      Math.imul(b[start + ((length * 3) >> 2)]!, 0x27d5) ^
      Math.imul(b[end - 1]!, 0x1657) ^
      Math.imul(length, 0x3d4d)
    let slot = (sample ^ (sample >>> 11)) & this.#mask
    for (let probe = 0; probe < PROBES; probe++) {
      const id = this.#sampled[slot]! - 1
      if (id < 0) return this.#add(b, v, start, end, this.#sampled, slot)
      if (this.#equals(id, b, v, start, length)) return id
      slot = (slot + 1) & this.#mask
    }
    return this.#findHashed(b, v, start, end)
  }

  #findHashed(b: Buffer, v: DataView, start: number, end: number): number {
    let slot = hashBytes(b, v, start, end, this.#seed) & this.#mask
    for (;;) {
      const id = this.#hashed[slot]! - 1
      if (id < 0) return this.#add(b, v, start, end, this.#hashed, slot)
      if (this.#equals(id, b, v, start, end - start)) return id
      slot = (slot + 1) & this.#mask
    }
  }

  #equals(id: number, b: Buffer, v: DataView, start: number, length: number): boolean {
    if (this.#lengths[id] !== length) return false
    const arena = this.#arena
    const view = this.#view
    const at = this.#starts[id]!
    let i = 0
    for (const last = length - 4; i <= last; i += 4) if (view.getInt32(at + i) !== v.getInt32(start + i)) return false
    for (; i < length; i++) if (arena[at + i] !== b[start + i]) return false
    return true
  }

  #add(b: Buffer, v: DataView, start: number, end: number, table: Int32Array, slot: number): number {
    const id = this.names.length
    if (id >= this.#capacity) return -1
    const length = end - start
    this.#reserve(length)
    b.copy(this.#arena, this.#used, start, end)
    this.#starts[id] = this.#used
    this.#lengths[id] = length
    this.#used += length
    const high = hashBytes(b, v, start, end, this.#seed)
    this.#low[id] = avalanche(hashLow)
    this.#high[id] = high
    table[slot] = id + 1
    this.names.push(b.toString('utf8', start, end))
    return id
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#arena.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#arena.length * 2, this.#used + bytes))
    this.#arena.copy(grown, 0, 0, this.#used)
    this.#arena = grown
    this.#view = new DataView(grown.buffer)
  }
}
