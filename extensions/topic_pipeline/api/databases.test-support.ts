import { RecordingLogger, tempDir } from '#core/testing'
import { openStore } from '../store/open-store.ts'
import type { TopicStore } from '../store/store.ts'

export interface TestDatabase {
  readonly store: TopicStore
  close(): Promise<void>
}

/** Every database that the store runs on, each opened anew and empty. */
export function databases(): readonly { readonly name: string; open(): Promise<TestDatabase> }[] {
  return [{ name: 'SQLite', open: openEmbedded }]
}

async function openEmbedded(): Promise<TestDatabase> {
  const dir = await tempDir()
  const store = await openStore({ dataDir: dir.path, logger: new RecordingLogger() })
  return {
    store,
    async close() {
      await store.close()
      await dir[Symbol.asyncDispose]()
    },
  }
}
