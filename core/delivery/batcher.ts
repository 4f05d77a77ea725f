import { type Clock, type ConsumeContext, NO_CONTEXT, type Timer } from '#core/component'
import { isMergeable, merge, type Payload, split } from '#core/data'
import type { BatchConfig, SizerName } from './options.ts'
import type { Held } from './queue.ts'
import { sizerOf } from './sizer.ts'

/** A share of a request that travels in a batch. */
export interface Part {
  readonly held: Held
  readonly items: number
}

/** What is sent as one request. */
export interface Batch {
  readonly payload: Payload
  readonly context: ConsumeContext
  readonly parts: readonly Part[]
}

/** Merges requests until a batch is large or old enough, apart by partition. Ready batches go to `emit`, in order. */
export class Batcher {
  readonly #config: BatchConfig
  readonly #sizer: SizerName
  readonly #clock: Clock
  readonly #emit: (batch: Batch) => void
  readonly #keys: readonly string[]
  readonly #partitions = new Map<string, Partition>()

  constructor(config: BatchConfig, sizer: SizerName, clock: Clock, emit: (batch: Batch) => void) {
    this.#config = config
    this.#sizer = sizer
    this.#clock = clock
    this.#emit = emit
    this.#keys = config.partition.metadata_keys.map(key => key.toLowerCase()).sort()
  }

  /** Requests that wait for their batch to fill. */
  get pending(): boolean {
    return this.#partitions.size > 0
  }

  /** Requests of a signal that cannot be merged go on as they are. */
  add(held: Held): void {
    if (!isMergeable(held.payload.signal)) {
      this.#emit({ payload: held.payload, context: held.context, parts: [{ held, items: held.payload.items }] })
      return
    }
    const context = partitionContext(held.context, this.#keys)
    const key = partitionKey(context, this.#keys)
    let partition = this.#partitions.get(key)
    if (partition === undefined) {
      partition = new Partition(context, this.#config, this.#sizer)
      this.#partitions.set(key, partition)
    }
    for (const batch of partition.add(held)) this.#emit(batch)
    if (partition.empty) this.#forget(key, partition)
    else partition.timer ??= this.#clock.after(this.#config.flush_timeout, () => this.#flush(key))
  }

  /** Sends everything on its way, full or not. */
  flush(): void {
    for (const key of [...this.#partitions.keys()]) this.#flush(key)
  }

  /** Lets go of everything that waits. */
  clear(): void {
    for (const [key, partition] of this.#partitions) this.#forget(key, partition)
  }

  #flush(key: string): void {
    const partition = this.#partitions.get(key)
    if (partition === undefined) return
    this.#forget(key, partition)
    for (const batch of partition.flush()) this.#emit(batch)
  }

  /** A partition lives only while something waits in it. */
  #forget(key: string, partition: Partition): void {
    partition.timer?.cancel()
    this.#partitions.delete(key)
  }
}

class Partition {
  readonly #context: ConsumeContext
  readonly #config: BatchConfig
  readonly #sizer: SizerName
  #payloads: Payload[] = []
  #parts: Part[] = []
  #size = 0
  timer: Timer | undefined

  constructor(context: ConsumeContext, config: BatchConfig, sizer: SizerName) {
    this.#context = context
    this.#config = config
    this.#sizer = sizer
  }

  get empty(): boolean {
    return this.#parts.length === 0
  }

  /** Takes a request in; returns the batches that are ready now. */
  add(held: Held): readonly Batch[] {
    const { min_size: min, max_size: max } = this.#config
    this.#payloads.push(held.payload)
    this.#parts.push({ held, items: held.payload.items })
    this.#size += sizerOf(this.#sizer)(held.payload)
    if (max > 0 && this.#size > max) return this.#cut(min)
    return this.#size >= min ? this.flush() : []
  }

  /** Everything that waits, as a batch (several where it must be cut). */
  flush(): readonly Batch[] {
    return this.#cut(0)
  }

  /** Cuts what waits at the maximum; what is left at the end stays when it is smaller than `least`. */
  #cut(least: number): readonly Batch[] {
    const { max_size: max } = this.#config
    const merged = this.#payloads.length === 1 ? this.#payloads[0]! : merge(this.#payloads)
    const tooLarge = max > 0 && this.#size > max
    const payloads = tooLarge ? split(merged, { [this.#sizer]: max }) : [merged]
    const batches = withParts(payloads, this.#parts, this.#context)
    this.#payloads = []
    this.#parts = []
    this.#size = 0
    const last = batches.at(-1)!
    if (batches.length > 1 && sizerOf(this.#sizer)(last.payload) < least) {
      batches.pop()
      this.#payloads.push(last.payload)
      this.#parts.push(...last.parts)
      this.#size = sizerOf(this.#sizer)(last.payload)
      this.timer?.cancel()
      this.timer = undefined
    }
    return batches
  }
}

/** Tells which items of which request each of the payloads holds: splitting keeps the order of items. */
function withParts(payloads: readonly Payload[], parts: readonly Part[], context: ConsumeContext): Batch[] {
  if (payloads.length === 1) return [{ payload: payloads[0]!, parts, context: contextOf(parts, context) }]
  const batches: Batch[] = []
  let at = 0
  let left = parts[0]!.items
  payloads.forEach((payload, index) => {
    const own: Part[] = []
    let room = index === payloads.length - 1 ? Number.POSITIVE_INFINITY : payload.items
    while (room > 0 && at < parts.length) {
      const items = Math.min(room, left)
      own.push({ held: parts[at]!.held, items })
      room -= items
      left -= items
      if (left === 0) left = parts[++at]?.items ?? 0
    }
    batches.push({ payload, parts: own, context: contextOf(own, context) })
  })
  return batches
}

/** The partition's context; the trace context goes along when the batch holds one request only. */
function contextOf(parts: readonly Part[], context: ConsumeContext): ConsumeContext {
  const traceparent = parts.length === 1 ? parts[0]!.held.context.traceparent : undefined
  return traceparent === undefined ? context : { ...context, traceparent }
}

/** What a batch keeps of its requests' contexts: the metadata that all of them share. */
function partitionContext(context: ConsumeContext, keys: readonly string[]): ConsumeContext {
  if (keys.length === 0) return NO_CONTEXT
  const metadata = new Map<string, readonly string[]>()
  for (const key of keys) {
    const values = context.metadata.get(key)
    if (values !== undefined) metadata.set(key, values)
  }
  return { metadata }
}

/** Different for an empty value and none. */
function partitionKey(context: ConsumeContext, keys: readonly string[]): string {
  return keys.length === 0 ? '' : JSON.stringify(keys.map(key => context.metadata.get(key) ?? null))
}
