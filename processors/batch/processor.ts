import {
  type Component,
  type ConsumeContext,
  type Consumer,
  type Metadata,
  PermanentError,
  type PipelineContext,
  type Recorders,
  RetryableError,
} from '#core/component'
import type { Payload } from '#core/data'
import type { BatchConfig } from './config.ts'
import { Shard } from './shard.ts'
import { batchInstruments } from './telemetry.ts'

/** Batches by the values of `metadata_keys`; all together when there are no keys. */
export class BatchProcessor implements Component, Consumer {
  readonly #config: BatchConfig
  readonly #next: Consumer
  readonly #context: PipelineContext
  readonly #instruments: Recorders<typeof batchInstruments>
  readonly #keys: readonly string[]
  readonly #shards = new Map<string, Shard>()
  #closed: Promise<void> | undefined

  constructor(config: BatchConfig, next: Consumer, context: PipelineContext) {
    this.#config = config
    this.#next = next
    this.#context = context
    this.#instruments = context.meter.bind(batchInstruments)
    this.#keys = config.metadata_keys.map(key => key.toLowerCase()).sort()
    if (this.#keys.length === 0) this.#open('', new Map())
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    if (this.#closed !== undefined) throw new RetryableError('batch processor is shut down')
    if (payload.items === 0) return
    await this.#shardOf(context.metadata).consume(payload, context)
  }

  /** Sends everything that waits. */
  shutdown(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#shards.values()].map(shard => shard.close()))
    this.#instruments.metadataCardinality.add(-this.#shards.size)
  }

  #shardOf(metadata: Metadata): Shard {
    const key = this.#keys.length === 0 ? '' : JSON.stringify(this.#keys.map(name => metadata.get(name) ?? null))
    const shard = this.#shards.get(key)
    if (shard !== undefined) return shard
    const limit = this.#config.metadata_cardinality_limit
    if (limit > 0 && this.#shards.size >= limit) {
      throw new PermanentError('too many batcher metadata-value combinations')
    }
    return this.#open(key, metadata)
  }

  #open(key: string, metadata: Metadata): Shard {
    const kept = new Map<string, readonly string[]>()
    for (const name of this.#keys) {
      const values = metadata.get(name)
      if (values !== undefined) kept.set(name, values)
    }
    const shard = new Shard({
      config: this.#config,
      next: this.#next,
      context: this.#context,
      instruments: this.#instruments,
      exportContext: { metadata: kept },
    })
    this.#shards.set(key, shard)
    this.#instruments.metadataCardinality.add(1)
    return shard
  }
}
