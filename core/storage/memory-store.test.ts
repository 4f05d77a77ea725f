import { expect, test } from 'vitest'
import { MemoryStore } from './memory-store.ts'
import { describeStore } from './store-conformance.test-support.ts'

describeStore('store in memory', { open: async () => new MemoryStore() })

test('a store in memory can be opened again, as after a restart', async () => {
  const store = new MemoryStore()
  await store.set('a', Buffer.from('1'))
  await store.close()
  store.reopen()
  expect(await store.get('a')).toEqual(Buffer.from('1'))
})
