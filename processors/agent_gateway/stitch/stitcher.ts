import {
  type Component,
  type ConsumeContext,
  type Consumer,
  type Host,
  NO_CONTEXT,
  type PipelineContext,
  type Recorders,
  RetryableError,
  type Timer,
} from '#core/component'
import { type Draft, openDraft, type Payload, type Span } from '#core/data'
import { findInStorage, leaveInStorage } from '#core/delivery'
import { openStore } from '#core/storage'
import type { Names } from '../names.ts'
import type { agentGatewayInstruments } from '../telemetry.ts'
import { Dispatch } from './dispatch.ts'
import { HeldRequest } from './held-request.ts'
import { joinTraces } from './join-traces.ts'
import { type RecentTrace, RecentTraces } from './recent-traces.ts'
import { type SpanNames, spanNames } from './span-names.ts'
import { SpanStore } from './span-store.ts'
import type { StitchConfig } from './stitch-option.ts'
import { SpanStitcher } from './stitch-spans.ts'
import { type HeldTrace, type Part, WaitingRoom } from './waiting-room.ts'
import { interestOf } from './waiting-trace.ts'

export interface StitcherOptions {
  readonly config: StitchConfig
  readonly doubles: 'drop' | 'mark' | 'keep'
  readonly names: Names
  readonly next: Consumer
  readonly context: PipelineContext
  readonly instruments: Recorders<typeof agentGatewayInstruments>
  /** What is done to spans before they wait, for instance taking out what must not be stored. */
  arrive(draft: Draft<'traces'>): void
  /** What is done to spans before they leave; until then they bear the gateway's names. */
  leave(draft: Draft<'traces'>): void
}

/**
 * A trace may leave this share of a window early, together with one whose window is over: a request is taken apart once
 * each time that traces leave, which is dear when it holds many.
 */
const SHARES = 16

/** What was remembered of the spans of each part, to be forgotten should it not get through. */
type Remembered = Map<Part, (readonly [RecentTrace, string])[]>

/**
 * Lets the spans of a trace wait for each other, makes a tree of them and hands them on in the requests they came in. A
 * request is acknowledged when all its spans have been taken further down, or when they are stored.
 */
export class Stitcher implements Component, Consumer<'traces'> {
  readonly #options: StitcherOptions
  readonly #names: SpanNames
  readonly #room: WaitingRoom
  readonly #recent: RecentTraces
  readonly #stitcher: SpanStitcher
  readonly #dispatch: Dispatch
  readonly #storing = new Set<Promise<unknown>>()
  readonly #stopGauges: readonly (() => void)[]
  #store: SpanStore | undefined
  #timer: Timer | undefined
  #closed: Promise<void> | undefined

  constructor(options: StitcherOptions) {
    const { config, doubles, names, next, context, instruments } = options
    this.#options = options
    this.#names = spanNames(names)
    this.#room = new WaitingRoom(interestOf(config, names), config)
    this.#recent = new RecentTraces(config.remember_spans)
    this.#stitcher = new SpanStitcher(config, doubles, names)
    this.#dispatch = new Dispatch(next, context)
    this.#stopGauges = [
      instruments.waitingSpans.observe(() => this.#room.spans),
      instruments.waitingTraces.observe(() => this.#room.traces.size),
    ]
  }

  /** @throws {Error} when the storage is not there or cannot be opened */
  async start(host: Host): Promise<void> {
    const { config, context } = this.#options
    if (config.storage === undefined) return
    const opened = await openStore(host, config.storage, 'processor', context.id, context.pipelines.join('_'))
    const { store, found } = await SpanStore.open(opened, context.logger)
    this.#store = store
    this.#dispatch.store = store
    let items = 0
    for (const payload of found.values()) items += payload.items
    findInStorage(context.ledger, 'traces', items)
    if (items > 0) context.logger.info('Found spans in storage. Stitching them.', { items })
    for (const [key, payload] of found) this.#enter(new HeldRequest(payload, NO_CONTEXT, key), payload)
  }

  async consume(payload: Payload<'traces'>, context: ConsumeContext): Promise<void> {
    const { config, next } = this.#options
    if (this.#closed !== undefined) throw new RetryableError('agent_gateway processor is shut down')
    const draft = openDraft(payload)
    this.#options.arrive(draft)
    const arrived = draft.seal()
    if (arrived.items === 0) return next.consume(arrived, context)
    if (config.storage === undefined) {
      const request = new HeldRequest(arrived, context)
      this.#enter(request, arrived)
      return request.outcome
    }
    const storing = this.#keep(arrived, context)
    this.#storing.add(storing)
    await storing.finally(() => this.#storing.delete(storing))
  }

  /** Lets everything that waits leave; or, when it is stored, stays there until the next start. */
  shutdown(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#storing)
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#store === undefined) this.#release([...this.#room.traces.values()])
    await this.#dispatch.close()
    for (const stop of this.#stopGauges) stop()
    if (this.#store === undefined) return
    await this.#store.close()
    leaveInStorage(this.#options.context.ledger, 'traces', this.#dispatch.items + this.#room.spans)
  }

  async #keep(payload: Payload<'traces'>, { signal: _, ...context }: ConsumeContext): Promise<void> {
    const { ledger } = this.#options.context
    const held = this.#room.spans + this.#dispatch.items
    if (held > 0 && held + payload.items > 2 * this.#options.config.max_spans) {
      throw new RetryableError(`${held} stored spans wait to be taken further down`)
    }
    let key: string
    try {
      if (this.#store === undefined) throw new Error('the processor has not started')
      key = await this.#store.put(payload)
    } catch (cause) {
      throw new RetryableError(`Could not store the spans: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      })
    }
    ledger.queued('traces', payload.items)
    this.#enter(new HeldRequest(payload, context, key), payload)
  }

  #enter(request: HeldRequest, payload: Payload<'traces'>): void {
    const { config, context, instruments } = this.#options
    this.#room.enter(request, payload, context.clock.monotonic() + config.window)
    const excess = this.#room.excess()
    if (excess.length > 0) {
      const before = this.#room.spans
      this.#release(excess)
      instruments.earlySpans.add(before - this.#room.spans)
    }
    this.#arm()
  }

  /** Sets the timer for the trace that has waited longest. */
  #arm(): void {
    const { clock } = this.#options.context
    const { oldest } = this.#room
    if (oldest === undefined || this.#timer !== undefined || this.#closed !== undefined) return
    this.#timer = clock.after(Math.max(0, oldest.deadline - clock.monotonic()), () => {
      this.#timer = undefined
      const until = clock.monotonic() + this.#options.config.window / SHARES
      const due: HeldTrace[] = []
      for (const trace of this.#room.traces.values()) {
        if (trace.deadline > until) break
        due.push(trace)
      }
      this.#release(due)
      this.#arm()
    })
  }

  /** Stitches these traces, and those that are one with them, and sends the parts of the requests that brought them. */
  #release(traces: readonly HeldTrace[]): void {
    const groups = this.#group(traces)
    const parts = this.#room.leave(groups.flat())
    const remembered: Remembered = new Map(parts.map(part => [part, []]))
    const byTrace = new Map<string, Part[]>()
    for (const part of parts) {
      for (const id of part.spans.keys()) {
        const same = byTrace.get(id)
        if (same === undefined) byTrace.set(id, [part])
        else same.push(part)
      }
    }
    for (const group of groups) {
      if (group[0]!.id !== '') this.#contain('stitch a trace', () => this.#stitch(group, byTrace, remembered))
    }
    for (const part of parts) {
      this.#contain('edit spans', () => this.#options.leave(part.draft))
      const { request, payload, draft } = part
      const onFailure = () => {
        for (const [trace, span] of remembered.get(part)!) this.#recent.remove(trace, span)
      }
      this.#dispatch.send({ request, payload, sealed: draft.seal(), onFailure })
    }
  }

  /** Spans whose senders wait, or were told that they are safe, leave whatever happens: as they are, if need be. */
  #contain(what: string, run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#options.context.logger.error(`Could not ${what}. Handing the spans on as they are.`, { error })
    }
  }

  #group(traces: readonly HeldTrace[]): HeldTrace[][] {
    const waiting = { traces: this.#room.traces, index: this.#room.index }
    const taken = new Set<HeldTrace>()
    const groups: HeldTrace[][] = []
    for (const first of traces) {
      if (taken.has(first)) continue
      const joined = joinTraces(first, waiting, this.#recent, this.#names, taken)
      for (const by of joined.by) this.#options.instruments.joinedTraces.add(1, { by })
      for (const trace of joined.traces) taken.add(trace)
      groups.push([...joined.traces])
    }
    return groups
  }

  #stitch(group: readonly HeldTrace[], parts: ReadonlyMap<string, readonly Part[]>, remembered: Remembered): void {
    const { instruments } = this.#options
    const recent = this.#recentOf(group)
    const own = new Set([...group.flatMap(trace => [...trace.own]), ...(recent?.own ?? [])])
    if (own.size === 0) return
    const id = recent?.id ?? leadOf(group).id
    const spans: Span[] = []
    const owners: Part[] = []
    for (const trace of group) {
      for (const part of parts.get(trace.id) ?? []) {
        for (const span of part.spans.get(trace.id) ?? []) {
          spans.push(span)
          owners.push(part)
        }
      }
    }
    const ids = spans.map(span => span.spanIdHex())
    const done = this.#stitcher.stitch(spans, id, own, recent)
    const handles = group.flatMap(trace => [trace.id, ...trace.runKeys])
    const entry = this.#recent.touch(id, done.root, handles)
    for (const service of own) entry.own.add(service)
    for (const [index, span] of ids.entries()) {
      this.#recent.add(entry, span, done.standIns.get(span), done.work.get(span))
      remembered.get(owners[index]!)!.push([entry, span])
    }
    for (const [reason, count] of done.reparented) instruments.reparentedSpans.add(count, { reason })
    if (done.doubles > 0) instruments.doubleSpans.add(done.doubles)
    if (recent !== undefined) instruments.lateSpans.add(spans.length)
  }

  /** What has left already of one of the traces, or of the same run. */
  #recentOf(group: readonly HeldTrace[]): RecentTrace | undefined {
    for (const { id } of group) {
      const found = this.#recent.find(id)
      if (found !== undefined) return found
    }
    if (group.some(trace => trace.hasForeign)) return undefined
    for (const { runKeys } of group) {
      for (const key of runKeys) {
        const found = this.#recent.find(key)
        if (found !== undefined) return found
      }
    }
    return undefined
  }
}

/**
 * The trace whose id the others take: one that holds spans that are not to be changed; else that of the most spans, to
 * which log records and the spans of model providers are likeliest to refer; else the earliest.
 */
function leadOf(group: readonly HeldTrace[]): HeldTrace {
  const order = (a: HeldTrace, b: HeldTrace) =>
    Number(b.hasForeign) - Number(a.hasForeign) || b.spans - a.spans || a.start - b.start || (a.id < b.id ? -1 : 1)
  return [...group].sort(order)[0]!
}
