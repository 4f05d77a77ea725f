/**
 * Key-value storage for components: queues, cursors, dictionaries. An extension implements it; components ask for a
 * store of their own.
 * @module
 */
export { isStorageExtension, openStore, type StorageExtension } from './extension.ts'
export { MemoryStore } from './memory-store.ts'
export {
  type Change,
  type Entry,
  keyBytes,
  MAX_KEY_BYTES,
  rangeBytes,
  type ScanRange,
  type Store,
  StoreClosed,
} from './store.ts'
