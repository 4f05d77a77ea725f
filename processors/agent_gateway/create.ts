import type { Consumer, PipelineContext, Processor, Recorders } from '#core/component'
import type { Draft, Signal } from '#core/data'
import type { AgentGatewayConfig } from './config.ts'
import { GatewayMetrics } from './edits/gateway-metrics.ts'
import { GenAiMapper } from './edits/gen-ai.ts'
import { Redactor } from './edits/redact.ts'
import { PrefixRenamer } from './edits/rename-prefix.ts'
import { ResourceMemory } from './edits/resource-memory.ts'
import { namesUnder } from './names.ts'
import { Stitcher } from './stitch/stitcher.ts'
import { agentGatewayInstruments } from './telemetry.ts'

/** What the instances of one processor share, whatever their signal. */
interface Shared {
  readonly resources: ResourceMemory
  readonly metrics: GatewayMetrics
}

/**
 * The processor of one signal. Metrics and logs are edited as they pass; so are traces unless they are stitched, which
 * takes time.
 */
export function createAgentGateway(
  config: AgentGatewayConfig,
  signal: Signal,
  next: Consumer,
  context: PipelineContext,
): Processor {
  const instruments = context.meter.bind(agentGatewayInstruments)
  const edits = new Edits(config, context, instruments)
  if (signal === 'logs') return { transform: draft => edits.logs(draft as Draft<'logs'>) }
  if (signal === 'metrics') return { transform: draft => edits.metrics(draft as Draft<'metrics'>) }
  if (config.stitch === undefined) {
    return {
      transform(draft) {
        edits.arrivingSpans(draft as Draft<'traces'>)
        edits.leavingSpans(draft as Draft<'traces'>)
      },
    }
  }
  return new Stitcher({
    config: config.stitch,
    doubles: config.doubles,
    names: namesUnder(config.prefix, config.metric_prefix),
    next,
    context,
    instruments,
    arrive: draft => edits.arrivingSpans(draft),
    leave: draft => edits.leavingSpans(draft),
  }) as Processor
}

/** Everything that is done to records one by one, in the order in which it must be done. */
class Edits {
  readonly #config: AgentGatewayConfig
  readonly #instruments: Recorders<typeof agentGatewayInstruments>
  readonly #shared: Shared
  readonly #redactor: Redactor
  readonly #renamer: PrefixRenamer | undefined
  readonly #genAi: GenAiMapper | undefined

  constructor(
    config: AgentGatewayConfig,
    context: PipelineContext,
    instruments: Recorders<typeof agentGatewayInstruments>,
  ) {
    const names = namesUnder(config.prefix, config.metric_prefix)
    this.#config = config
    this.#instruments = instruments
    this.#shared = context.shared(() => ({
      resources: new ResourceMemory(context.clock),
      metrics: new GatewayMetrics(config, names),
    }))
    this.#redactor = new Redactor(config.redact, names)
    this.#renamer = config.rename_prefix === '' ? undefined : new PrefixRenamer(config)
    this.#genAi = config.gen_ai ? new GenAiMapper(names) : undefined
  }

  arrivingSpans(draft: Draft<'traces'>): void {
    const counts = { reply_text: 0, command_args: 0, content: 0 }
    this.#redactor.resources(draft, counts)
    this.#redactor.spans(draft, counts)
    this.#count(counts)
    if (this.#config.copy_resource) this.#shared.resources.learn(draft)
  }

  leavingSpans(draft: Draft<'traces'>): void {
    this.#genAi?.spans(draft)
    this.#renamer?.spans(draft)
  }

  metrics(draft: Draft<'metrics'>): void {
    const counts = { reply_text: 0, command_args: 0, content: 0 }
    const dropped = { run_duration: 0, double: 0 }
    this.#redactor.resources(draft, counts)
    this.#count(counts)
    if (this.#config.copy_resource) this.#shared.resources.learn(draft)
    this.#shared.metrics.apply(draft, dropped)
    for (const [reason, points] of Object.entries(dropped)) this.#countPoints(points, reason)
    if (this.#genAi !== undefined) this.#countPoints(this.#genAi.metrics(draft, this.#shared.metrics), 'gen_ai')
    this.#renamer?.metrics(draft)
  }

  logs(draft: Draft<'logs'>): void {
    const counts = { reply_text: 0, command_args: 0, content: 0 }
    this.#redactor.resources(draft, counts)
    this.#redactor.logs(draft, counts)
    this.#count(counts)
    if (this.#config.copy_resource) this.#shared.resources.complete(draft)
    this.#renamer?.logs(draft)
  }

  #count(counts: Readonly<Record<string, number>>): void {
    for (const [kind, times] of Object.entries(counts)) {
      if (times > 0) this.#instruments.redactions.add(times, { kind })
    }
  }

  #countPoints(points: number, reason: string): void {
    if (points > 0) this.#instruments.droppedPoints.add(points, { reason })
  }
}
