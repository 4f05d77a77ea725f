import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, vectorOf } from './bytes.ts'
import { dots } from './dot.ts'
import { VectorCache } from './vector-cache.ts'

describe('VectorCache', () => {
  it('finds what a comparison with every row finds, after any changes', () => {
    fc.assert(
      fc.property(fc.array(CHANGE, { maxLength: 60 }), fc.constantFrom(2, 5, 1000), (changes, capacity) => {
        const rig = open(capacity)
        for (const change of changes) {
          if (change.do === 'set') rig.set(change.ref, change.model, change.values, change.at)
          else if (change.do === 'delete') rig.delete(change.ref)
          else expect(rig.search(change.values, change.limit, change.since)).toEqual(rig.compare(change))
        }
      }),
    )
  })

  it('holds more than a block', () => {
    const rig = open()
    for (let ref = 1; ref <= 2100; ref++) rig.set(ref, 'm', [Math.cos(ref / 2100), Math.sin(ref / 2100)], ref)
    const one = rig.search([1, 0], 3, 0)
    expect(one.map(each => each.ref)).toEqual([1, 2, 3])
    expect(rig.search([1, 0], 2, 2000).map(each => each.ref)).toEqual([2000, 2001])
    for (let ref = 1; ref <= 2000; ref++) rig.delete(ref)
    expect(rig.search([1, 0], 5000, 0)).toHaveLength(100)
  })
})

describe('dots', () => {
  it('are the sums of products of each vector, whatever their number and length', () => {
    const number = fc.integer({ min: -50, max: 50 })
    const CASE = fc.tuple(fc.nat(9), fc.nat(9)).chain(([length, count]) =>
      fc.record({
        query: fc.array(number, { minLength: length, maxLength: length }),
        vectors: fc.array(fc.array(number, { minLength: length, maxLength: length }), {
          minLength: count,
          maxLength: count,
        }),
      }),
    )
    fc.assert(
      fc.property(CASE, ({ query, vectors }) => {
        const into = new Float64Array(vectors.length)
        dots(Float32Array.from(vectors.flat()), Float32Array.from(query), vectors.length, into)
        const product = (vector: readonly number[]) => vector.reduce((sum, value, i) => sum + value * query[i]!, 0)
        expect([...into].map(value => value + 0)).toEqual(vectors.map(vector => product(vector) + 0))
      }),
    )
  })
})

describe('bytesOf', () => {
  it('is undone by vectorOf, wherever the bytes lie', () => {
    const vector = Float32Array.of(1.5, -0.1, 3e-20)
    const shifted = new Uint8Array([0, ...bytesOf(vector)]).subarray(1)
    expect(vectorOf(shifted)).toEqual(vector)
  })
})

const values = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))
const CHANGE = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      ref: fc.integer({ min: 1, max: 12 }),
      model: fc.constantFrom('m', 'm', 'other'),
      values: fc.oneof({ weight: 5, arbitrary: values }, fc.constant([1, 2, 3])),
      at: fc.nat(9),
    }),
  },
  fc.record({ do: fc.constant('delete' as const), ref: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant('search' as const), values, limit: fc.integer({ min: 1, max: 14 }), since: fc.nat(9) }),
)

function open(capacity = 10_000) {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table vectors (version integer primary key autoincrement, subject text, ref integer, model text,
    set_at integer, embedding blob, unique (subject, ref))`)
  const cache = new VectorCache(database, { subject: 'topic', model: 'm', dimensions: 2 }, capacity)
  const insert = database.prepare(
    "insert or replace into vectors (subject, ref, model, set_at, embedding) values ('topic', ?, ?, ?, ?)",
  )
  const remove = database.prepare('delete from vectors where ref = ?')
  const rows = new Map<number, { model: string; values: readonly number[]; at: number }>()
  return {
    set(ref: number, model: string, numbers: readonly number[], at: number) {
      insert.run(ref, model, at, bytesOf(Float32Array.from(numbers)))
      rows.set(ref, { model, values: numbers, at })
    },
    delete(ref: number) {
      remove.run(ref)
      rows.delete(ref)
    },
    search: (query: readonly number[], limit: number, since: number) =>
      cache.search(Float32Array.from(query), limit, since),
    compare: ({ values: [x, y], limit, since }: { values: [number, number]; limit: number; since: number }) => {
      const all = [...rows]
        .filter(([, row]) => row.model === 'm' && row.values.length === 2 && row.at >= since)
        .map(([ref, row]) => ({ ref, similarity: x * row.values[0]! + y * row.values[1]! + 0 }))
      return all.sort((a, b) => b.similarity - a.similarity || a.ref - b.ref).slice(0, limit)
    },
  }
}
