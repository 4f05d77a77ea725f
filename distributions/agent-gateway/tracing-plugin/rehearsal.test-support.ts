import type { Outcome } from './collector.ts'
import { type ReadSpan, readSpans } from './rig.test-support.ts'
import { settingsOf } from './settings.ts'
import { DEFAULT_SWITCHES, type Switches } from './switches.ts'
import { Tracing } from './tracing.ts'

/** A clock of the plugin's own kind, that goes on only when it is told. */
export class HandClock {
  #now: number
  readonly #tasks: { at: number; task: () => void }[] = []

  constructor(now = 1_795_174_000_000) {
    this.#now = now
  }

  readonly now = (): number => this.#now

  readonly later = (task: () => void, milliseconds: number): (() => void) => {
    const entry = { at: this.#now + milliseconds, task }
    this.#tasks.push(entry)
    return () => void this.#tasks.splice(this.#tasks.indexOf(entry) >>> 0, 1)
  }

  /** Goes on, and does what is due on the way. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds
    for (;;) {
      const due = this.#tasks.filter(each => each.at <= until).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#tasks.splice(this.#tasks.indexOf(due), 1)
      this.#now = Math.max(this.#now, due.at)
      due.task()
    }
    this.#now = until
  }
}

/** Tracing without sockets and without waiting: all that would be sent is kept. */
export function rehearsal(
  otel: object = {},
  {
    switches = {},
    answer = () => ({ status: 'accepted' }) as Outcome,
  }: { switches?: Partial<Switches>; answer?: () => Outcome } = {},
) {
  const clock = new HandClock()
  const bodies: Uint8Array[] = []
  const lines: string[] = []
  const config = { diagnostics: { otel: { enabled: true, endpoint: 'http://127.0.0.1:1', ...otel } } }
  const settings = settingsOf(config, { ...DEFAULT_SWITCHES, ...switches }, line => lines.push(line))
  if (typeof settings === 'string') throw new Error(settings)
  const world = {
    now: clock.now,
    later: clock.later,
    poster: () => async (url: string, body: Uint8Array) => {
      const outcome = answer()
      if (outcome.status === 'accepted' && url.endsWith('/v1/traces')) bodies.push(body)
      return outcome
    },
  }
  const tracing = new Tracing(settings, world)
  tracing.logger = { info: line => lines.push(line), warn: line => lines.push(line) }
  return {
    ...{ tracing, clock, lines, bodies },
    spans: () => bodies.flatMap(body => readSpans(Buffer.from(body))),
    end: () => tracing.stop(),
  }
}

/** What is wrong with exported spans: a parent that is not there, an id given twice, two roots, time that runs back. */
export function faultsOf(spans: readonly ReadSpan[]): string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  const roots = new Set<string>()
  for (const { traceId, spanId, name } of spans) {
    if (ids.has(traceId + spanId)) faults.push(`${name} has the id of another span`)
    ids.add(traceId + spanId)
  }
  for (const { traceId, parentSpanId, name, start, end } of spans) {
    if (end < start) faults.push(`${name} ends before it begins`)
    if (parentSpanId === undefined) {
      if (roots.has(traceId)) faults.push(`${name} is a second root`)
      roots.add(traceId)
    } else if (!ids.has(traceId + parentSpanId)) faults.push(`${name} misses its parent`)
  }
  return faults
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
}
