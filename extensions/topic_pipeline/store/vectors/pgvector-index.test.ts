import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../schema.ts'
import type { OpenSession } from '../session.ts'
import { noIndex, pgvectorIndex, preparePgvector } from './pgvector-index.ts'

/** Debian 12 has no pgvector, so that tests there see what is sent; where it is, the conformance suite uses it. */
describe('pgvectorIndex', () => {
  it('writes a vector over the one that is there', async () => {
    const { db, queries } = recorder()
    const vector = { subject: 'topic', ref: 7, model: 'm', vector: Float32Array.of(0.5, -0.25), setAt: 9 } as const
    await pgvectorIndex().set({ read: db } as unknown as OpenSession, vector)
    expect(queries).toEqual([
      [
        'insert into vectors (subject, ref, model, dimensions, set_at, embedding) ' +
          'values ($1, $2, $3, $4, $5, $6::vector) ' +
          'on conflict (subject, ref) do update set model = excluded.model, dimensions = excluded.dimensions, ' +
          'set_at = excluded.set_at, embedding = excluded.embedding',
        ['topic', 7, 'm', 2, 9, '[0.5,-0.25]'],
      ],
    ])
  })

  it('lets the database order by similarity among those of the same model and dimension', async () => {
    const found = [{ ref: 3, similarity: 0.9 }]
    const { db, queries } = recorder(() => found)
    const query = { subject: 'upload', model: 'm', vector: Float32Array.of(1, 0, 0), limit: 5, since: 4 } as const
    expect(await pgvectorIndex().search(db, query)).toBe(found)
    expect(queries).toEqual([
      [
        'select ref, -distance as similarity from ( ' +
          'select ref, embedding <#> $1::vector as distance from vectors ' +
          'where subject = $2 and model = $3 and dimensions = $4 and set_at >= $5 ' +
          'order by distance, ref limit $6) as nearest',
        ['[1,0,0]', 'upload', 'm', 3, 4, 5],
      ],
    ])
  })

  it('reads a vector back from text', async () => {
    const { db } = recorder(() => [{ model: 'm', embedding: '[0.5,-0.25,1e-07]' }])
    const { vector } = (await pgvectorIndex().get(db, 'topic', 1))!
    expect(vector).toEqual(Float32Array.of(0.5, -0.25, 1e-7))
  })
})

describe('preparePgvector', () => {
  it('makes the extension and its table', async () => {
    let created = false
    const { db, queries } = recorder(sql => {
      created ||= sql.startsWith('create extension')
      if (sql.startsWith('select to_regclass')) return [{ present: null }]
      return sql.startsWith('select to_regtype') ? [{ type: created ? 'vector' : null }] : []
    })
    expect(await preparePgvector(db)).toBe(true)
    expect(queries.map(([sql]) => sql.split(/ ?\(/)[0])).toEqual([
      'select to_regtype',
      'create extension if not exists vector',
      'select to_regtype',
      'select to_regclass',
      'create table vectors',
      'alter table vectors alter column embedding set storage main',
      'create index vectors_model on vectors',
    ])
  })

  it('goes without when the server has none, or we may not', async () => {
    const { db, queries } = recorder(sql => {
      if (sql.startsWith('create extension')) throw new Error('permission denied to create extension "vector"')
      return [{ type: null }]
    })
    expect(await preparePgvector(db)).toBe(false)
    expect(queries.some(([sql]) => sql.startsWith('create table'))).toBe(false)
  })
})

describe('noIndex', () => {
  it('keeps nothing and finds nothing', async () => {
    const index = noIndex()
    const { db, queries } = recorder()
    await index.set({} as OpenSession, {} as never)
    await index.delete(db, 'topic', 1)
    const query = { subject: 'topic', model: 'm', vector: Float32Array.of(1), limit: 1, since: 0 } as const
    expect([index.available, await index.search(db, query), await index.get(db, 'topic', 1)]).toEqual([
      false,
      [],
      undefined,
    ])
    expect(queries).toEqual([])
  })
})

/** A database that answers with `rows` and remembers what it was asked, white space made one blank. */
function recorder(rows: (sql: string) => unknown[] = () => []) {
  const queries: [string, readonly unknown[]][] = []
  class Driver extends DummyDriver {
    override async acquireConnection() {
      return {
        async executeQuery<R>({ sql, parameters }: CompiledQuery) {
          const text = sql.replaceAll(/\s+/g, ' ').trim()
          queries.push([text, parameters])
          return { rows: rows(text) as R[] }
        },
        async *streamQuery() {},
      }
    }
  }
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: each => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return { db, queries }
}
