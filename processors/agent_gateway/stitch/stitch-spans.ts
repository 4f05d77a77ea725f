import { type Key, key, type Span } from '#core/data'
import type { Names } from '../names.ts'
import { serviceOf } from '../origin.ts'
import { DoubleFinder, type WorkSpan } from './doubles.ts'
import type { RecentTrace } from './recent-traces.ts'
import { type SpanNames, spanNames } from './span-names.ts'
import { spanTime } from './span-time.ts'
import { type Departed, planForest, type Reason, type SpanNode } from './stitch-forest.ts'
import type { StitchConfig } from './stitch-option.ts'

/** What was done to the spans of a trace. */
export interface Stitched {
  /** Span id of the root. */
  readonly root: string
  readonly reparented: ReadonlyMap<Reason, number>
  /** Spans that tell of work of which another span tells, too: dropped or marked. */
  readonly doubles: number
  /** Ids of spans that were dropped as doubles, each with the one that stands for it. */
  readonly standIns: ReadonlyMap<string, string>
  /** Spans that are left and of which doubles may come late, by id. */
  readonly work: ReadonlyMap<string, WorkSpan>
}

const SERVER = 2
const CONSUMER = 5
/** In `flags`: whether it is known that the parent is remote, and whether it is. */
const KNOWS_REMOTE = 0x100
const IS_REMOTE = 0x200

/** Edits the spans of one trace, which may have come as several, so that they are one tree. */
export class SpanStitcher {
  readonly #config: StitchConfig
  readonly #doubles: 'drop' | 'mark' | 'keep'
  readonly #names: Names
  readonly #spanNames: SpanNames
  readonly #finder: DoubleFinder
  readonly #tools: readonly Key[]
  readonly #usage: readonly Key[]

  constructor(config: StitchConfig, doubles: 'drop' | 'mark' | 'keep', names: Names) {
    this.#config = config
    this.#doubles = doubles
    this.#names = names
    this.#spanNames = spanNames(names)
    this.#finder = new DoubleFinder(names)
    this.#usage = [key('gen_ai.usage.input_tokens'), key(names.of('tokens.input'))]
    this.#tools = [key('gen_ai.tool.name'), key(names.of('tool.name')), key(names.of('toolName'))]
  }

  /**
   * All spans get the id `trace`. `departed` is what has left of it. Parents of spans of other services than `own` are
   * left alone.
   */
  stitch(spans: readonly Span[], trace: string, own: ReadonlySet<string>, departed: RecentTrace | undefined): Stitched {
    const nodes = spans.map(span => this.#nodeOf(span, own))
    const work = spans.map((span, index) => this.#workOf(span, nodes[index]!))
    const standIns = new Map<string, string>()
    const dropped = new Set<number>()
    const doubles = this.#doubles === 'keep' ? 0 : this.#settleDoubles(spans, nodes, work, departed, standIns, dropped)
    const left = [...spans.keys()].filter(index => !dropped.has(index))
    const placed = left.map(index => this.#withStandIn(nodes[index]!, standIns, departed))
    const forest = planForest(placed, departed === undefined ? undefined : this.#whatLeft(departed))
    const changed = new Map(forest.changes.map(change => [left[change.index]!, change]))
    const reparented = new Map<Reason, number>()
    for (const [position, index] of left.entries()) {
      const change = changed.get(index)
      if (change !== undefined) reparented.set(change.reason, (reparented.get(change.reason) ?? 0) + 1)
      const parent = change?.parent ?? placed[position]!.parent
      this.#place(spans[index]!, nodes[index]!.parent, parent, change?.reason)
      this.#moveTo(spans[index]!, trace)
    }
    const kept = left.map(index => work[index]!).filter(span => this.#finder.isOfInterest(span))
    return { root: forest.root, reparented, doubles, standIns, work: new Map(kept.map(span => [span.id, span])) }
  }

  #nodeOf(span: Span, own: ReadonlySet<string>): SpanNode {
    return {
      id: span.spanIdHex(),
      parent: hex(span.parentSpanId),
      ...spanTime(span),
      leaf: this.#spanNames.leaves.has(span.name),
      fixed: this.#isFixed(span, own),
    }
  }

  #isFixed(span: Span, own: ReadonlySet<string>): boolean {
    if (!own.has(serviceOf(span.resource))) return true
    if (!this.#config.keep_remote_parents || (span.kind !== SERVER && span.kind !== CONSUMER)) return false
    const { flags } = span
    return span.parentSpanId.length > 0 && ((flags & KNOWS_REMOTE) === 0 || (flags & IS_REMOTE) !== 0)
  }

  #workOf(span: Span, { id, start, end }: SpanNode): WorkSpan {
    return {
      ...{ id, start, end },
      name: span.name,
      tool: this.#toolOf(span),
      hasUsage: this.#usage.some(usage => span.attributes.has(usage)),
      builtIn: span.scope.name === this.#names.prefix,
    }
  }

  /** Drops or marks the doubles among the spans, and returns how many there are. */
  #settleDoubles(
    spans: readonly Span[],
    nodes: SpanNode[],
    work: readonly WorkSpan[],
    departed: RecentTrace | undefined,
    standIns: Map<string, string>,
    dropped: Set<number>,
  ): number {
    const indexes = new Map(work.map((span, index) => [span, index]))
    let count = 0
    for (const [builtIn, plugin] of this.#finder.find([...work, ...(departed?.work.values() ?? [])])) {
      const index = indexes.get(builtIn)
      if (index === undefined) {
        // The built-in span has left before: what the plugin tells is kept and says so.
        const late = indexes.get(plugin)
        if (late === undefined) continue
        this.#mark(spans[late]!, 'double_of', builtIn.id)
      } else if (this.#doubles === 'mark') {
        this.#mark(spans[index]!, 'double_of', plugin.id)
        // The plugin's span is the one that others belong below.
        nodes[index] = { ...nodes[index]!, leaf: true }
      } else {
        if (builtIn.id !== plugin.id) standIns.set(builtIn.id, plugin.id)
        dropped.add(index)
        spans[index]!.drop()
      }
      count++
    }
    return count
  }

  #toolOf(span: Span): string | undefined {
    for (const name of this.#tools) {
      const value = span.attributes.get(name)
      if (typeof value === 'string') return value
    }
    return span.name.startsWith('tool.') ? span.name.slice('tool.'.length) : undefined
  }

  #whatLeft(trace: RecentTrace): Departed {
    const around = [...trace.work.values()].filter(span => !this.#spanNames.leaves.has(span.name))
    return { root: trace.root, has: id => trace.spans.has(id), around }
  }

  #withStandIn(node: SpanNode, standIns: ReadonlyMap<string, string>, departed: RecentTrace | undefined): SpanNode {
    const parent = standIns.get(node.parent) ?? departed?.spans.get(node.parent)
    return parent === undefined || parent === node.parent ? node : { ...node, parent }
  }

  #place(span: Span, before: string, parent: string, reason: Reason | undefined): void {
    if (parent === before) return
    span.parentSpanId = Buffer.from(parent, 'hex')
    this.#mark(span, 'reason', reason ?? 'double')
    if (before !== '') this.#mark(span, 'parent_span_id', before)
  }

  #moveTo(span: Span, trace: string): void {
    const before = span.traceIdHex()
    if (before === trace) return
    span.traceId = Buffer.from(trace, 'hex')
    this.#mark(span, 'trace_id', before)
  }

  #mark(span: Span, what: string, value: string): void {
    if (this.#config.mark !== '') span.attributes.set(`${this.#config.mark}.${what}`, value)
  }
}

function hex(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.length).toString('hex')
}
