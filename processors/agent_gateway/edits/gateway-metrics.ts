import { type Draft, type Key, key, type Metric } from '#core/data'
import type { AgentGatewayConfig } from '../config.ts'
import type { Names } from '../names.ts'
import { serviceOf } from '../origin.ts'

/** Points that were dropped, by reason. */
export interface DroppedPoints {
  run_duration: number
  double: number
}

/** Services whose metrics are remembered; the one remembered longest is forgotten first. */
const MOST_SERVICES = 1000

/** Names remembered of one service. */
const MOST_NAMES = 200

const USAGE = 'gen_ai.client.token.usage'
const DURATION = 'gen_ai.client.operation.duration'

/** What is known to come from a service, so that it may be left out elsewhere. */
interface Seen {
  /** Names of metrics from the gateway's own exporter. */
  readonly builtIn: Set<string>
  /** Series of the duration of runs. */
  readonly runs: Set<'outcome' | 'agent'>
}

/**
 * Leaves out what another series of the same service tells, too. A series is left out only once the other one has been
 * seen: versions that have only one of two keep it.
 */
export class GatewayMetrics {
  readonly #keep: 'outcome' | 'agent' | 'both'
  readonly #dropDoubles: boolean
  readonly #scope: string
  readonly #runDuration: string
  readonly #outcome: Key
  readonly #agent: Key
  /** Metrics that may come from the built-in exporter and from the plugin, under which names the built-in has them. */
  readonly #doubles: ReadonlyMap<string, string>
  readonly #services = new Map<string, Seen>()

  constructor({ run_duration, doubles }: Pick<AgentGatewayConfig, 'run_duration' | 'doubles'>, names: Names) {
    this.#keep = run_duration
    this.#dropDoubles = doubles === 'drop'
    this.#scope = names.prefix
    this.#runDuration = names.metric('run.duration_ms')
    this.#outcome = key(names.of('outcome'))
    this.#agent = key(names.of('agent'))
    const tokens = names.metric('tokens')
    const cost = names.metric('cost.usd')
    // The plugin's names do not follow the prefix that the gateway was told for its metrics.
    this.#doubles = new Map([
      [names.of('tokens'), tokens],
      [names.of('llm.tokens.total'), tokens],
      [names.of('llm.tokens.prompt'), tokens],
      [names.of('llm.tokens.completion'), tokens],
      [names.of('cost.usd'), cost],
      [names.of('llm.cost.usd'), cost],
      [names.of('run.duration_ms'), this.#runDuration],
      [names.of('agent.turn_duration'), this.#runDuration],
      [names.of('llm.duration'), names.metric('model_call.duration_ms')],
      [names.of('tool.duration'), names.metric('tool.execution.duration_ms')],
      [USAGE, USAGE],
      [DURATION, DURATION],
    ])
  }

  /** Whether the service sends token usage under the name of the GenAI conventions itself. */
  sendsUsage(service: string): boolean {
    return this.#services.get(service)?.builtIn.has(USAGE) ?? false
  }

  apply(draft: Draft<'metrics'>, dropped: DroppedPoints): void {
    for (const metric of draft.metrics()) if (metric.scope.name === this.#scope) this.#notice(metric)
    for (const metric of draft.metrics()) {
      if (metric.scope.name !== this.#scope) {
        if (this.#dropDoubles) dropped.double += this.#dropDouble(metric)
      } else if (metric.name === this.#runDuration) dropped.run_duration += this.#dropRuns(metric)
    }
  }

  #notice(metric: Metric): void {
    const seen = this.#seenOf(metric)
    if (seen.builtIn.size < MOST_NAMES) seen.builtIn.add(metric.name)
    if (metric.name !== this.#runDuration) return
    for (const { attributes } of metric.points) {
      if (attributes.has(this.#outcome)) seen.runs.add('outcome')
      else if (attributes.has(this.#agent)) seen.runs.add('agent')
    }
  }

  #dropRuns(metric: Metric): number {
    const keep = this.#keep
    if (keep === 'both' || !this.#seenOf(metric).runs.has(keep)) return 0
    let dropped = 0
    for (const point of metric.points) {
      const hasOutcome = point.attributes.has(this.#outcome)
      if (keep === 'outcome' ? hasOutcome : !hasOutcome) continue
      point.drop()
      dropped++
    }
    return dropped
  }

  #dropDouble(metric: Metric): number {
    const builtIn = this.#doubles.get(metric.name)
    if (builtIn === undefined || !this.#seenOf(metric).builtIn.has(builtIn)) return 0
    const points = [...metric.points].length
    metric.drop()
    return points
  }

  #seenOf({ resource }: Metric): Seen {
    const service = serviceOf(resource)
    let seen = this.#services.get(service)
    if (seen === undefined) {
      seen = { builtIn: new Set(), runs: new Set() }
      this.#services.set(service, seen)
      if (this.#services.size > MOST_SERVICES) this.#services.delete(this.#services.keys().next().value!)
    }
    return seen
  }
}
