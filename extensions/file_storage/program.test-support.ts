import { join } from 'node:path'
import { LmdbStore } from './lmdb-store.ts'

/** Opens a store as the extension does, for processes that are killed. */
export async function open(dir: string): Promise<LmdbStore> {
  return LmdbStore.open({ path: join(dir, 'store.mdb'), fsync: true })
}
