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
    cache = new VectorCache(database, { subject, model, dimensions: vector.length })
    caches.set(key, cache)
  }
  return cache.search(vector, call.limit, call.since)
})
