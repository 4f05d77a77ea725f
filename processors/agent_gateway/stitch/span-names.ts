import type { Names } from '../names.ts'

/** What a built-in span is to others, by its name. */
export interface SpanNames {
  /** Spans that report something besides the work, and enclose nothing. */
  readonly leaves: ReadonlySet<string>
  /** Spans that the gateway sends in traces of their own, and the spans around which, or within which, they belong. */
  readonly strays: ReadonlyMap<string, Stray>
  /** Names of spans that strays belong to. */
  readonly anchors: ReadonlySet<string>
}

/** How a span that came in a trace of its own lies to the span it belongs to. */
export interface Stray {
  readonly anchor: string
  /** It encloses the anchor, of which there is one; else it is enclosed by it, perhaps with others. */
  readonly outer: boolean
}

/** The relations between the gateway's built-in spans, as recorded from 2026.4.25. */
export function spanNames(names: Names): SpanNames {
  const run = names.of('run')
  const tool = names.of('tool.execution')
  return {
    leaves: new Set([names.of('model.usage'), names.of('context.assembled'), names.of('memory.pressure')]),
    strays: new Map([
      [names.of('message.processed'), { anchor: run, outer: true }],
      [names.of('harness.run'), { anchor: run, outer: true }],
      [names.of('exec'), { anchor: tool, outer: false }],
    ]),
    anchors: new Set([run, tool]),
  }
}
