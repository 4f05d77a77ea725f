/**
 * The thread that compares vectors of the embedded store, one with all. It reads the database by itself and keeps what it
 * has read; before each search it reads what came since.
 * @module
 */
import { workerData } from 'node:worker_threads'
import { connect } from '../sqlite/connect.ts'
import { serve } from '../threads/serve.ts'
import { VectorCache } from './vector-cache.ts'
import type { Candidate, VectorQuery } from './vector-index.ts'

export type SearchCall = VectorQuery | 'close'

/** Bytes of vectors of one kind that are kept in memory: 40,000 of 1536 dimensions. */
const MEMORY = 240 * 1024 * 1024

const { path } = workerData as { path: string }
const database = connect(path, { readOnly: true })
const caches = new Map<string, VectorCache>()

serve((call: SearchCall): Candidate[] => {
  if (call === 'close') {
    database.close()
    return []
  }
  const { subject, model, vector } = call
  const key = JSON.stringify([subject, model, vector.length])
  let cache = caches.get(key)
  if (cache === undefined) {
    cache = new VectorCache(
      database,
      { subject, model, dimensions: vector.length },
      Math.ceil(MEMORY / vector.byteLength),
    )
    caches.set(key, cache)
  }
  // All statements of a search see the same state.
  database.exec('begin')
  try {
    return cache.search(vector, call.limit, call.since)
  } finally {
    database.exec('commit')
  }
})
