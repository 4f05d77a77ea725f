import { trace } from '@opentelemetry/api'
import { type BuildInfo, ComponentId, type Kind, type PipelineContext, type Status } from '#core/component'
import { SIGNALS, type Signal } from '#core/data'
import { FakeClock } from './clock.ts'
import { RecordingLedger } from './ledger.ts'
import { RecordingLogger } from './logger.ts'
import { RecordingMeter } from './meter.ts'

/** The distribution that tests pretend to be. */
export const TEST_BUILD: BuildInfo = { command: 'millrace', description: 'Millrace under test', version: '0.0.0-test' }

/** What a test may choose about a component's context. */
export interface TestContextOptions {
  /** `type[/name]`, default `test`. */
  readonly id?: string
  readonly kind?: Kind
  readonly signals?: readonly Signal[]
  readonly pipelines?: readonly string[]
  readonly clock?: PipelineContext['clock']
  /** Pass one map to several contexts of one id to share their `shared` state. */
  readonly state?: Map<string, object>
}

/** A context that remembers what a component says: lines, values, entries, statuses. */
export interface TestContext extends PipelineContext {
  readonly kind: Kind
  readonly logger: RecordingLogger
  readonly meter: RecordingMeter
  readonly ledger: RecordingLedger
  /** The fake clock, unless another clock was given; then using it throws. */
  readonly fakeClock: FakeClock
  /** Everything reported, in order. */
  readonly statuses: readonly { readonly status: Status; readonly error?: Error }[]
}

/** A context for one component instance under test; time stands still unless `clock` says otherwise. */
export function testContext(options: TestContextOptions = {}): TestContext {
  const id = ComponentId.parse(options.id ?? 'test')
  const clock = options.clock ?? new FakeClock()
  const statuses: { status: Status; error?: Error }[] = []
  const state = options.state ?? new Map<string, object>()
  return {
    id,
    kind: options.kind ?? 'processor',
    signals: options.signals ?? SIGNALS.slice(0, 3),
    pipelines: options.pipelines ?? ['traces'],
    build: TEST_BUILD,
    logger: new RecordingLogger(),
    meter: new RecordingMeter(),
    tracer: trace.getTracer('test'),
    ledger: new RecordingLedger(),
    clock,
    get fakeClock() {
      if (clock instanceof FakeClock) return clock
      throw new Error('This context runs on another clock than the fake one')
    },
    statuses,
    report: (status, error) => void statuses.push(error === undefined ? { status } : { status, error }),
    shared<T extends object>(create: () => T): T {
      const existing = state.get(id.toString())
      if (existing !== undefined) return existing as T
      const created = create()
      state.set(id.toString(), created)
      return created
    },
  }
}
