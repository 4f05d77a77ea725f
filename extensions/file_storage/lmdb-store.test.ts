import { join } from 'node:path'
import { describeStore } from '../../core/storage/store-conformance.test-support.ts'
import { LmdbStore } from './lmdb-store.ts'
import { open } from './program.test-support.ts'

describeStore('store in a file', { open, program: join(import.meta.dirname, 'program.test-support.ts') })

describeStore('store in a file without fsync', {
  open: async dir => LmdbStore.open({ path: join(dir, 'store.mdb'), fsync: false }),
})
