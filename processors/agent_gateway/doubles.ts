import type { Names } from './names.ts'

/** A span as far as it tells which work it is about. */
export interface WorkSpan {
  readonly name: string
  readonly start: number
  readonly end: number
  /** The tool, for tool calls. */
  readonly tool: string | undefined
  /** Whether it carries token counts. */
  readonly hasUsage: boolean
  /** Whether it was recorded by the gateway's own exporter. */
  readonly builtIn: boolean
}

/**
 * Built-in spans that tell of the same work as a span of the tracing plugin: built-in index to plugin's. Each pair is of
 * the kinds `message.processed` and `request`; `run` or `harness.run` and `agent.turn`; `model.usage` and an `agent.turn`
 * with token counts; `model.call`, or the built-in `chat <model>`, and the plugin's; `tool.execution` and `tool.<Name>` of the same tool. A pair overlaps
 * in time by at least half of the shorter one; a span of the plugin has one double of each kind, the best fit.
 */
export function findDoubles(spans: readonly WorkSpan[], names: Names): Map<number, number> {
  const doubles = new Map<number, number>()
  const own = pluginSpans(spans, names)
  if (own.size === 0) return doubles
  for (const [name, kind] of builtInKinds(names)) {
    const candidates = own.get(kind)
    if (candidates === undefined) continue
    const pairs: { builtIn: number; plugin: number; fit: number }[] = []
    for (const [builtIn, span] of spans.entries()) {
      if (name === CHAT ? !span.builtIn || !span.name.startsWith(CHAT) : span.name !== name) continue
      for (const plugin of candidates) {
        const fit = fitOf(span, spans[plugin]!, kind, name === names.of('model.usage'))
        if (fit > 0) pairs.push({ builtIn, plugin, fit })
      }
    }
    const taken = new Set<number>()
    for (const { builtIn, plugin } of pairs.sort((a, b) => b.fit - a.fit)) {
      if (doubles.has(builtIn) || taken.has(plugin)) continue
      taken.add(plugin)
      doubles.set(builtIn, plugin)
    }
  }
  return doubles
}

const CHAT = 'chat '

type Kind = 'request' | 'turn' | 'chat' | 'tool'

function builtInKinds(names: Names): [string, Kind][] {
  return [
    [names.of('message.processed'), 'request'],
    [names.of('run'), 'turn'],
    [names.of('harness.run'), 'turn'],
    [names.of('model.usage'), 'turn'],
    [names.of('model.call'), 'chat'],
    // What the gateway calls a model call when it is told to follow the GenAI conventions.
    [CHAT, 'chat'],
    [names.of('tool.execution'), 'tool'],
  ]
}

/** Spans of the plugin by kind. Empty unless one has a name that only the plugin uses. */
function pluginSpans(spans: readonly WorkSpan[], names: Names): Map<Kind, number[]> {
  const found = new Map<Kind, number[]>()
  const add = (kind: Kind, index: number) => {
    const list = found.get(kind)
    if (list === undefined) found.set(kind, [index])
    else list.push(index)
  }
  for (const [index, { name, builtIn }] of spans.entries()) {
    if (name === names.of('request')) add('request', index)
    else if (name === names.of('agent.turn')) add('turn', index)
    else if (name.startsWith(CHAT) && !builtIn) add('chat', index)
    else if (name.startsWith('tool.')) add('tool', index)
  }
  return found.has('request') || found.has('turn') || found.has('tool') ? found : new Map()
}

/** From 0, not about the same work, to 1, the same time. */
function fitOf(builtIn: WorkSpan, plugin: WorkSpan, kind: Kind, isUsage: boolean): number {
  if (kind === 'tool' && builtIn.tool !== undefined && builtIn.tool !== plugin.tool) return 0
  if (isUsage && !plugin.hasUsage) return 0
  const overlap = Math.min(builtIn.end, plugin.end) - Math.max(builtIn.start, plugin.start)
  const shorter = Math.min(builtIn.end - builtIn.start, plugin.end - plugin.start)
  const longer = Math.max(builtIn.end - builtIn.start, plugin.end - plugin.start)
  if (overlap < 0 || overlap < shorter / 2) return 0
  return longer === 0 ? 1 : Math.max(overlap, 1) / longer
}
