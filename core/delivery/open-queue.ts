import type { Host, PipelineContext } from '#core/component'
import type { Signal } from '#core/data'
import { openStore } from '#core/storage'
import { MemoryQueue } from './memory-queue.ts'
import type { QueueConfig } from './options.ts'
import { PersistentQueue } from './persistent-queue.ts'
import type { Queue } from './queue.ts'
import { Room } from './room.ts'
import { sizerOf } from './sizer.ts'

export interface OpenQueueOptions {
  readonly host: Host
  readonly signal: Signal
  readonly context: PipelineContext
  readonly onOffer: () => void
  readonly onDamaged: (items: number) => void
}

/**
 * The queue a configuration asks for: in memory, or in the store of an extension. `found` is the number of items that an
 * earlier one left there.
 * @throws {Error} when the extension is not there or the store cannot be opened
 */
export async function openQueue(
  config: QueueConfig,
  options: OpenQueueOptions,
): Promise<{ readonly queue: Queue; readonly found: number }> {
  const { host, signal, context, onOffer, onDamaged } = options
  const { id, logger } = context
  const room = new Room(config.queue_size, config.block_on_overflow)
  const sizer = sizerOf(config.sizer)
  if (config.storage === undefined) return { queue: new MemoryQueue(room, sizer, onOffer), found: 0 }
  const store = await openStore(host, config.storage, 'exporter', id, signal)
  const queue = await PersistentQueue.open({ store, signal, room, sizer, logger, onOffer, onDamaged })
  const { items: found, waiting: requests } = queue
  if (requests > 0) logger.info('Found requests in storage. Sending them.', { requests, items: found })
  return { queue, found }
}
