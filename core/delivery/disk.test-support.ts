import { type Change, MemoryStore } from '#core/storage'
import { TestHost } from '#core/testing'
import { type Rig, type RigOptions, rig } from './rig.test-support.ts'

/** A store whose flushes wait and whose writes fail when told to; it outlives the queues on it. */
export class Disk extends MemoryStore {
  /** The batches written. */
  readonly batches: (readonly Change[])[] = []
  /** Calls of `get`. */
  reads = 0
  failure: Error | undefined
  #gate: PromiseWithResolvers<void> | undefined

  /** From now on flushes wait until `release`. */
  hold(): void {
    this.#gate ??= Promise.withResolvers()
  }

  release(): void {
    this.#gate?.resolve()
    this.#gate = undefined
  }

  override async get(key: string): Promise<Buffer | undefined> {
    this.reads++
    return super.get(key)
  }

  override async batch(changes: readonly Change[]): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    this.batches.push(changes)
    await super.batch(changes)
  }

  override async flushed(): Promise<void> {
    await this.#gate?.promise
    await super.flushed()
  }

  async allKeys(): Promise<string[]> {
    const keys: string[] = []
    for await (const key of this.keys()) keys.push(key)
    return keys
  }
}

/** A delivery whose queue is on `disk`, as after a restart of the process. */
export async function rigOn(disk: Disk, queue: object = {}, options: RigOptions = {}): Promise<Rig> {
  disk.reopen()
  const host = new TestHost({ file_storage: { openStore: async () => disk } as object })
  const written = {
    timeout: '0s',
    retry_on_failure: { randomization_factor: 0 },
    sending_queue: { storage: 'file_storage', num_consumers: 1, ...queue },
  }
  return rig(written, { host, ...options })
}
