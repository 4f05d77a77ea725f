import { HashSet } from './hash-set.ts'
import { HyperLogLog, REGISTERS } from './hyperloglog.ts'

/** Distinct hashes that a sketch keeps one by one before it becomes an estimate. */
export const EXACT_LIMIT = 256

const EXACT = 1
const ESTIMATED = 2
/** Kind, and the two numbers of the offset. */
const HEADER = 1 + 8 + 8

/**
 * Counts distinct values by their 64-bit hashes: exactly up to 256, then in 4 KiB with a standard error of 1.6 %. It
 * keeps hashes, never values.
 *
 * What it tells does not jump where counting ends and estimating begins: how far the first estimate was off is
 * remembered, and taken off later ones in proportion as they grow.
 */
export class Sketch {
  #exact: HashSet | undefined = new HashSet()
  #estimated: HyperLogLog | undefined
  /** Exact count minus estimate at the moment of the change, and that estimate. */
  #offset = 0
  #offsetAt = 1

  /** Adds a value by the two halves of its hash. Tells whether anything changed. */
  add(high: number, low: number): boolean {
    if (this.#estimated !== undefined) return this.#estimated.add(high, low)
    const isNew = this.#exact!.add(high, low)
    if (this.#exact!.size > EXACT_LIMIT) this.demote()
    return isNew
  }

  /** Adds everything that another has counted with the same hash function. Tells whether anything changed. */
  merge(other: Sketch): boolean {
    let changed = false
    if (other.#estimated === undefined) {
      other.#exact!.each((high, low) => {
        if (this.add(high, low)) changed = true
      })
      return changed
    }
    if (this.#estimated !== undefined) return this.#estimated.merge(other.#estimated)
    this.demote()
    this.#estimated!.merge(other.#estimated)
    this.#offset = other.#offset
    this.#offsetAt = other.#offsetAt
    return true
  }

  /** Gives up counting exactly: the hashes kept one by one are free. */
  demote(): void {
    if (this.#exact === undefined) return
    const estimated = new HyperLogLog()
    this.#exact.each((high, low) => estimated.add(high, low))
    const estimate = estimated.estimate()
    this.#offset = this.#exact.size - estimate
    this.#offsetAt = Math.max(estimate, 1)
    this.#exact = undefined
    this.#estimated = estimated
  }

  /** Distinct values so far, a whole number. */
  get cardinality(): number {
    if (this.#estimated === undefined) return this.#exact!.size
    const estimate = this.#estimated.estimate()
    return Math.max(Math.round(estimate + (this.#offset * this.#offsetAt) / Math.max(estimate, this.#offsetAt)), 0)
  }

  /** Whether `cardinality` is an estimate. */
  get estimated(): boolean {
    return this.#estimated !== undefined
  }

  /** Hashes kept one by one; 0 once it estimates. */
  get exactHashes(): number {
    return this.#exact?.size ?? 0
  }

  /** For storage; read back by {@link Sketch.decode}. */
  encode(): Buffer {
    if (this.#estimated !== undefined) {
      const bytes = Buffer.alloc(HEADER + REGISTERS)
      bytes[0] = ESTIMATED
      bytes.writeDoubleLE(this.#offset, 1)
      bytes.writeDoubleLE(this.#offsetAt, 9)
      bytes.set(this.#estimated.registers, HEADER)
      return bytes
    }
    const bytes = Buffer.alloc(1 + this.#exact!.size * 8)
    let at = 1
    bytes[0] = EXACT
    this.#exact!.each((high, low) => {
      at = bytes.writeInt32LE(high, at)
      at = bytes.writeInt32LE(low, at)
    })
    return bytes
  }

  /** @throws {Error} when the bytes are not those of a sketch */
  static decode(bytes: Uint8Array): Sketch {
    const buffer = Buffer.from(bytes)
    const sketch = new Sketch()
    if (buffer[0] === ESTIMATED && buffer.length === HEADER + REGISTERS) {
      sketch.#exact = undefined
      sketch.#offset = buffer.readDoubleLE(1)
      sketch.#offsetAt = buffer.readDoubleLE(9)
      sketch.#estimated = new HyperLogLog(Uint8Array.prototype.slice.call(buffer, HEADER))
    } else if (buffer[0] === EXACT && buffer.length % 8 === 1) {
      for (let at = 1; at < buffer.length; at += 8) sketch.add(buffer.readInt32LE(at), buffer.readInt32LE(at + 4))
    } else {
      throw new Error(`Cannot read a sketch of ${buffer.length} bytes: they are of no kind known here`)
    }
    return sketch
  }
}
