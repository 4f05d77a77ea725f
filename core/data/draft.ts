import { ChunkDraft, type Owner } from './chunk-draft.ts'
import { EachIterator } from './each.ts'
import { ENTRY_RANK, METRIC_RANK } from './levels.ts'
import { LogRecordIterator } from './log-record.ts'
import { DataPointIterator, MetricView } from './metric.ts'
import { type Chunk, Payload } from './payload.ts'
import type { DataPoint, Draft, LogRecord, Metric, Records, Resource, Span } from './records.ts'
import { ResourceView } from './resource.ts'
import { sealChunk } from './seal.ts'
import type { Signal } from './signal.ts'
import { SpanIterator } from './span.ts'
import { type Chunks, Walk } from './walk.ts'

/**
 * Opens a payload for reading and editing. Chunks are opened one by one as they are reached. Attributes of events, links
 * and exemplars are edited like those of records; records and metrics that have been dropped ignore edits. Of profiles
 * only the resources can be walked.
 */
export function openDraft<S extends Signal>(payload: Payload<S>): Draft<S> {
  return new OpenDraft(payload)
}

class OpenDraft<S extends Signal> implements Draft<S>, Chunks, Owner {
  sealed = false
  readonly #payload: Payload<S>
  /** By index of the chunk; only those that have been reached. */
  readonly #open: ChunkDraft[] = []
  #result: Payload<S> | undefined

  constructor(payload: Payload<S>) {
    this.#payload = payload
  }

  get signal(): S {
    return this.#payload.signal
  }

  get items(): number {
    let items = this.#payload.items
    for (const open of this.#open) items += open.items - open.chunk.items
    return items
  }

  open(index: number): ChunkDraft | undefined {
    const chunk = this.#payload.chunks[index]
    if (chunk === undefined) return undefined
    this.#open[index] ??= new ChunkDraft(this, this.signal, chunk)
    return this.#open[index]
  }

  records(): IterableIterator<Records[S]> {
    const signal: Signal = this.signal
    if (signal === 'traces') return this.spans() as IterableIterator<Records[S]>
    if (signal === 'logs') return this.logs() as IterableIterator<Records[S]>
    return this.points() as IterableIterator<Records[S]>
  }

  spans(): IterableIterator<Span> {
    this.#require('traces', 'spans')
    return new SpanIterator(this)
  }

  logs(): IterableIterator<LogRecord> {
    this.#require('logs', 'log records')
    return new LogRecordIterator(this)
  }

  points(): IterableIterator<DataPoint> {
    this.#require('metrics', 'data points')
    return new DataPointIterator(this)
  }

  metrics(): IterableIterator<Metric> {
    this.#require('metrics', 'metrics')
    return new EachIterator(new Walk(METRIC_RANK, null, this), node => new MetricView(node))
  }

  resources(): IterableIterator<Resource> {
    return new EachIterator(new Walk(ENTRY_RANK, null, this), node => new ResourceView(node))
  }

  /** Sealing again returns the same payload. */
  seal(): Payload<S> {
    this.sealed = true
    this.#result ??= this.#assemble()
    return this.#result
  }

  #assemble(): Payload<S> {
    const chunks: Chunk[] = []
    let changed = false
    this.#payload.chunks.forEach((chunk, index) => {
      const open = this.#open[index]
      const sealed = open === undefined ? chunk : sealChunk(open)
      if (sealed !== chunk) changed = true
      if (sealed !== undefined) chunks.push(sealed)
    })
    return changed ? new Payload(this.signal, chunks) : this.#payload
  }

  #require(signal: Signal, what: string): void {
    if (this.signal !== signal) throw new TypeError(`Could not walk ${what}: the draft holds ${this.signal}`)
  }
}
