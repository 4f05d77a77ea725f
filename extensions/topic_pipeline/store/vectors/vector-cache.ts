import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { VectorSubject } from '../schema.ts'
import { dots } from './dot.ts'
import { Nearest } from './nearest-heap.ts'
import type { Candidate } from './vector-index.ts'

/** Vectors of a block: memory grows by blocks and is never copied. */
const BLOCK = 1024

/** All vectors of one subject, model and dimension, in memory, in step with the database. */
export class VectorCache {
  readonly #dimensions: number
  readonly #changes: StatementSync
  readonly #current: StatementSync
  readonly #scope: readonly [VectorSubject, string]
  readonly #blocks: Float32Array[] = []
  readonly #places = new Map<number, number>()
  /** Of one block. */
  readonly #similarities = new Float64Array(BLOCK)
  #refs: number[] = []
  #versions: number[] = []
  #setAt: number[] = []
  #last = 0

  constructor(
    database: DatabaseSync,
    { subject, model, dimensions }: { subject: VectorSubject; model: string; dimensions: number },
  ) {
    this.#dimensions = dimensions
    this.#scope = [subject, model]
    this.#changes = database.prepare(
      'select version, ref, set_at, embedding from vectors where subject = ? and model = ? and version > ? order by version',
    )
    this.#current = database.prepare('select version from vectors where subject = ? and ref = ?')
  }

  /** The `limit` nearest that were set at or after `since`, nearest first. */
  search(vector: Float32Array, limit: number, since: number): Candidate[] {
    this.#update()
    for (;;) {
      const nearest = new Nearest(limit)
      for (let from = 0; from < this.#refs.length; from += BLOCK) {
        const end = Math.min(from + BLOCK, this.#refs.length)
        dots(this.#blocks[from / BLOCK]!, vector, end - from, this.#similarities)
        for (let place = from; place < end; place++) {
          if (this.#setAt[place]! >= since) nearest.offer(this.#refs[place]!, this.#similarities[place - from]!)
        }
      }
      const found = nearest.take()
      const gone = found.filter(({ ref }) => !this.#isCurrent(ref))
      if (gone.length === 0) return found
      for (const { ref } of gone) this.#forget(ref)
    }
  }

  #update(): void {
    for (const row of this.#changes.iterate(...this.#scope, this.#last)) {
      const { version, ref, set_at, embedding } = row as unknown as VectorChange
      this.#last = version
      if (embedding.byteLength !== this.#dimensions * 4) continue
      const place = this.#places.get(ref) ?? this.#refs.length
      this.#places.set(ref, place)
      this.#refs[place] = ref
      this.#versions[place] = version
      this.#setAt[place] = set_at
      this.#bytes(place).set(embedding)
    }
  }

  /** Deleted, or set anew with another model. */
  #isCurrent(ref: number): boolean {
    const row = this.#current.get(this.#scope[0], ref)
    return row?.version === this.#versions[this.#places.get(ref)!]
  }

  /** The last one takes its place. */
  #forget(ref: number): void {
    const last = this.#refs.length - 1
    const place = this.#places.get(ref)!
    this.#places.delete(ref)
    if (place !== last) {
      this.#bytes(place).set(this.#bytes(last))
      this.#refs[place] = this.#refs[last]!
      this.#versions[place] = this.#versions[last]!
      this.#setAt[place] = this.#setAt[last]!
      this.#places.set(this.#refs[place]!, place)
    }
    for (const list of [this.#refs, this.#versions, this.#setAt]) list.length = last
  }

  #bytes(place: number): Uint8Array {
    const index = Math.floor(place / BLOCK)
    this.#blocks[index] ??= new Float32Array(BLOCK * this.#dimensions)
    const size = this.#dimensions * 4
    return new Uint8Array(this.#blocks[index].buffer, (place % BLOCK) * size, size)
  }
}

interface VectorChange {
  readonly version: number
  readonly ref: number
  readonly set_at: number
  readonly embedding: Uint8Array
}
