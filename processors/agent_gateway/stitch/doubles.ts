import type { Names } from '../names.ts'

/** A span as far as it tells which work it is about. */
export interface WorkSpan {
  /** Span id, lower-case hexadecimal. */
  readonly id: string
  readonly name: string
  /** Microseconds since the Unix epoch. */
  readonly start: number
  readonly end: number
  /** The tool, for tool calls. */
  readonly tool: string | undefined
  /** Whether it carries token counts. */
  readonly hasUsage: boolean
  /** Whether it was recorded by the gateway's own exporter. */
  readonly builtIn: boolean
}

type Kind = 'request' | 'turn' | 'chat' | 'tool'

/** Pairs compared for one kind; with more of them, nothing is taken for a double: a bound for hostile traces. */
const MOST_PAIRS = 250_000

/** What a model call is called by the plugin, and by the gateway when it is told to follow the GenAI conventions. */
const CHAT = 'chat '
const TOOL = 'tool.'

/**
 * Finds built-in spans that tell of the same work as a span of the tracing plugin. The kinds are `message.processed` and
 * `request`; `run` or `harness.run` and `agent.turn`; `model.usage` and an `agent.turn` with token counts; `model.call`,
 * or the built-in `chat <model>`, and the plugin's; `tool.execution` and `tool.<Name>` of the same tool.
 */
export class DoubleFinder {
  readonly #builtIn: ReadonlyMap<string, Kind>
  readonly #plugin: ReadonlyMap<string, Kind>
  readonly #usage: string

  constructor(names: Names) {
    this.#usage = names.of('model.usage')
    this.#builtIn = new Map<string, Kind>([
      [names.of('message.processed'), 'request'],
      [names.of('run'), 'turn'],
      [names.of('harness.run'), 'turn'],
      [this.#usage, 'turn'],
      [names.of('model.call'), 'chat'],
      [names.of('tool.execution'), 'tool'],
    ])
    this.#plugin = new Map<string, Kind>([
      [names.of('request'), 'request'],
      [names.of('agent.turn'), 'turn'],
    ])
  }

  /** Whether a span may be one of a pair. */
  isOfInterest(span: WorkSpan): boolean {
    return this.#builtInKind(span) !== undefined || this.#pluginKind(span) !== undefined
  }

  /**
   * The built-in spans that are doubles, each with the plugin's. A pair overlaps in time by at least half of the shorter
   * one. A span of the plugin has at most one double of each name, the one that fits best.
   */
  find(spans: readonly WorkSpan[]): Map<WorkSpan, WorkSpan> {
    const plugin = Map.groupBy(spans, span => this.#pluginKind(span))
    const doubles = new Map<WorkSpan, WorkSpan>()
    if (!plugin.has('request') && !plugin.has('turn') && !plugin.has('tool')) return doubles
    const builtIn = Map.groupBy(
      spans.filter(span => this.#builtInKind(span) !== undefined),
      span => (span.name.startsWith(CHAT) ? CHAT : span.name),
    )
    for (const same of builtIn.values()) {
      const kind = this.#builtInKind(same[0]!)!
      this.#pair(same, plugin.get(kind) ?? [], kind, doubles)
    }
    return doubles
  }

  #pair(
    builtIns: readonly WorkSpan[],
    plugins: readonly WorkSpan[],
    kind: Kind,
    doubles: Map<WorkSpan, WorkSpan>,
  ): void {
    if (builtIns.length * plugins.length > MOST_PAIRS) return
    const pairs: { builtIn: WorkSpan; plugin: WorkSpan; fit: number }[] = []
    for (const builtIn of builtIns) {
      for (const plugin of plugins) {
        const fit = this.#fit(builtIn, plugin, kind)
        if (fit > 0) pairs.push({ builtIn, plugin, fit })
      }
    }
    const taken = new Set<WorkSpan>()
    for (const { builtIn, plugin } of pairs.sort((a, b) => b.fit - a.fit)) {
      if (doubles.has(builtIn) || taken.has(plugin)) continue
      taken.add(plugin)
      doubles.set(builtIn, plugin)
    }
  }

  /** From 0, not about the same work, to 1, the same time. */
  #fit(builtIn: WorkSpan, plugin: WorkSpan, kind: Kind): number {
    if (kind === 'tool' && builtIn.tool !== undefined && builtIn.tool !== plugin.tool) return 0
    if (builtIn.name === this.#usage && !plugin.hasUsage) return 0
    const overlap = Math.min(builtIn.end, plugin.end) - Math.max(builtIn.start, plugin.start)
    const shorter = Math.min(builtIn.end - builtIn.start, plugin.end - plugin.start)
    const longer = Math.max(builtIn.end - builtIn.start, plugin.end - plugin.start)
    if (overlap < 0 || overlap < shorter / 2) return 0
    return longer === 0 ? 1 : Math.max(overlap, 1) / longer
  }

  #builtInKind({ name, builtIn }: WorkSpan): Kind | undefined {
    return this.#builtIn.get(name) ?? (builtIn && name.startsWith(CHAT) ? 'chat' : undefined)
  }

  #pluginKind({ name, builtIn }: WorkSpan): Kind | undefined {
    const kind = this.#plugin.get(name)
    if (kind !== undefined) return kind
    if (name.startsWith(CHAT) && !builtIn) return 'chat'
    return name.startsWith(TOOL) ? 'tool' : undefined
  }
}
