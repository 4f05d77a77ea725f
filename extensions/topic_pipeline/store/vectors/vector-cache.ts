import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { VectorSubject } from '../schema.ts'
import { vectorOf } from './bytes.ts'
import { dot, dots } from './dot.ts'
import { Nearest } from './nearest-heap.ts'
import type { Candidate } from './vector-index.ts'

/** Vectors of a block: memory grows by blocks and is never copied. */
const BLOCK = 1024

export interface VectorScope {
  readonly subject: VectorSubject
  readonly model: string
  readonly dimensions: number
}

/**
 * All vectors of one subject, model and dimension, in step with the database: the newest in memory, as many as `capacity`
 * allows, and those before read from the file for each search that reaches back to them.
 */
export class VectorCache {
  readonly #dimensions: number
  readonly #capacity: number
  readonly #scope: readonly [VectorSubject, string]
  readonly #changes: StatementSync
  readonly #older: StatementSync
  readonly #oldest: StatementSync
  readonly #current: StatementSync
  /** Dot products of one block. */
  readonly #similarities = new Float64Array(BLOCK)
  #blocks: Float32Array[] = []
  #places = new Map<number, number>()
  #refs: number[] = []
  #versions: number[] = []
  #setAt: number[] = []
  /** When the latest of each block was set. */
  #latest: number[] = []
  /** Versions up to this one are not in memory. */
  #floor = 0
  #last = 0

  constructor(database: DatabaseSync, { subject, model, dimensions }: VectorScope, capacity: number) {
    this.#dimensions = dimensions
    this.#capacity = capacity
    this.#scope = [subject, model]
    const those = 'from vectors where subject = ? and model = ?'
    this.#changes = database.prepare(`select version, ref, set_at, embedding ${those} and version > ? order by version`)
    this.#older = database.prepare(`select ref, embedding ${those} and version <= ? and set_at >= ?`)
    this.#oldest = database.prepare(`select version ${those} order by version desc limit 1 offset ?`)
    this.#current = database.prepare('select version from vectors where subject = ? and ref = ?')
    this.#begin()
  }

  /** The `limit` nearest that were set at or after `since`, nearest first. */
  search(vector: Float32Array, limit: number, since: number): Candidate[] {
    this.#update()
    const older = this.#searchFile(vector, limit, since)
    for (;;) {
      const nearest = new Nearest(limit)
      for (const { ref, similarity } of older) nearest.offer(ref, similarity)
      this.#searchMemory(nearest, vector, since)
      const found = nearest.take()
      const gone = found.filter(({ ref }) => !this.#isCurrent(ref))
      if (gone.length === 0) return found
      for (const { ref } of gone) this.#forget(ref)
    }
  }

  #searchMemory(nearest: Nearest, vector: Float32Array, since: number): void {
    for (const [index, block] of this.#blocks.entries()) {
      if (this.#latest[index]! < since) continue
      const from = index * BLOCK
      const end = Math.min(from + BLOCK, this.#refs.length)
      dots(block, vector, end - from, this.#similarities)
      for (let place = from; place < end; place++) {
        if (this.#setAt[place]! >= since) nearest.offer(this.#refs[place]!, this.#similarities[place - from]!)
      }
    }
  }

  #searchFile(vector: Float32Array, limit: number, since: number): Candidate[] {
    const nearest = new Nearest(limit)
    if (this.#floor === 0) return []
    for (const row of this.#older.iterate(...this.#scope, this.#floor, since)) {
      const { ref, embedding } = row as unknown as VectorChange
      if (embedding.byteLength === this.#dimensions * 4) nearest.offer(ref, dot(vectorOf(embedding), vector))
    }
    return nearest.take()
  }

  /** Leaves room for a quarter of the capacity to come. */
  #begin(): void {
    const oldest = this.#oldest.get(...this.#scope, Math.floor(this.#capacity * 0.75))
    this.#floor = (oldest?.version as number | undefined) ?? 0
    this.#last = this.#floor
    this.#blocks = []
    this.#places = new Map()
    this.#latest = []
    for (const list of [this.#refs, this.#versions, this.#setAt]) list.length = 0
  }

  #update(): void {
    if (this.#refs.length >= this.#capacity) this.#begin()
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
      this.#touch(place)
    }
  }

  #touch(place: number): void {
    const index = Math.floor(place / BLOCK)
    this.#latest[index] = Math.max(this.#latest[index] ?? 0, this.#setAt[place]!)
  }

  /** Not deleted, and not set anew with another model. What came from the file just now is. */
  #isCurrent(ref: number): boolean {
    const place = this.#places.get(ref)
    if (place === undefined) return true
    return this.#current.get(this.#scope[0], ref)?.version === this.#versions[place]
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
      this.#touch(place)
    }
    for (const list of [this.#refs, this.#versions, this.#setAt]) list.length = last
    this.#blocks.length = Math.ceil(last / BLOCK)
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
