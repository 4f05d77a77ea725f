import type { Payload } from '#core/data'
import type { QueueConfig, SizerName } from './options.ts'

/** Tells how much of a queue or batch a payload takes. */
export type Sizer = (payload: Pick<Payload, 'items' | 'bytes'>) => number

const SIZER: Record<SizerName, Sizer> = {
  requests: () => 1,
  items: payload => payload.items,
  bytes: payload => payload.bytes,
}

export function sizerOf(name: SizerName): Sizer {
  return SIZER[name]
}

/**
 * What the batches of a queue are measured in: as written; else as the queue is, where that is a measure for batches;
 * else items.
 */
export function batchSizer(queue: QueueConfig): SizerName {
  return queue.batch?.sizer ?? (queue.sizer === 'requests' ? 'items' : queue.sizer)
}
