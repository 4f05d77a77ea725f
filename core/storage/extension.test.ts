import { expect, test } from 'vitest'
import { ComponentId } from '#core/component'
import { TestHost } from '#core/testing'
import { isStorageExtension, openStore } from './extension.ts'
import { MemoryStore } from './memory-store.ts'

const id = new ComponentId('otlp_grpc')

test('a component gets a store of its own from the extension its configuration names', async () => {
  const asked: unknown[] = []
  const store = new MemoryStore()
  const openStoreOf = async (...args: unknown[]) => {
    asked.push(args)
    return store
  }
  const host = new TestHost({ file_storage: { openStore: openStoreOf } as object })
  expect(await openStore(host, 'file_storage', 'exporter', id, 'traces')).toBe(store)
  expect(asked).toEqual([['exporter', id, 'traces']])
})

test('an extension that does not run or keeps no data is told apart', async () => {
  const host = new TestHost({ health_check: {} })
  await expect(openStore(host, 'file_storage', 'exporter', id, '')).rejects.toThrow(
    'no storage client extension found: file_storage',
  )
  await expect(openStore(host, 'health_check', 'exporter', id, '')).rejects.toThrow(
    'requested extension is not a storage extension: health_check',
  )
  expect(isStorageExtension({})).toBe(false)
})
