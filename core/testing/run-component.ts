import {
  type Component,
  type ConnectorDefinition,
  type ConsumeContext,
  type Consumer,
  type Consumers,
  type Definition,
  type ExporterDefinition,
  type ExtensionDefinition,
  NO_CONTEXT,
  type ProcessorDefinition,
  type ReceiverDefinition,
} from '#core/component'
import type { Schema } from '#core/config'
import { type FlatRecord, flatRecords, openDraft, type Payload, SIGNALS, type Signal } from '#core/data'
import { configure } from './configure.ts'
import { type TestContext, type TestContextOptions, testContext } from './context.ts'
import { TestHost } from './host.ts'
import { Sink } from './sink.ts'

/** What a test may choose about a component that runs alone. */
export interface RunComponentOptions extends Omit<TestContextOptions, 'kind' | 'signals'> {
  /** Default: a host without extensions. */
  readonly host?: TestHost
}

/** A started component, on its own. Its scope shuts it down. */
export interface RunningComponent extends AsyncDisposable {
  readonly component: Component
  /** What it said: log lines, metrics, ledger entries, statuses; and the clock that it goes by. */
  readonly context: TestContext
  readonly host: TestHost
}

/** One that takes data in. */
export interface RunningConsumer extends RunningComponent {
  /** Hands it telemetry; settles as its own `consume` does. */
  consume(payload: Payload, context?: ConsumeContext): Promise<void>
}

/** One that gives data out. */
export interface RunningProducer extends RunningComponent {
  /** Where its output ends up. */
  readonly sink: Sink
  /** What came out so far, record by record. */
  records(): readonly FlatRecord[]
}

/** Runs a processor between the test and a sink: `await using batch = await runProcessor(batchProcessor, 'traces', { timeout: '1s' })`. */
export async function runProcessor<C, S extends Signal, N extends string, W>(
  definition: ProcessorDefinition<C, S, N, W>,
  signal: NoInfer<S>,
  written?: W,
  options: RunComponentOptions = {},
): Promise<RunningConsumer & RunningProducer> {
  const sink = new Sink()
  const made = prepare(definition, [signal], written, options)
  const component = definition.create(made.config, signal, sink, made.context)
  const consume =
    'consume' in component
      ? (payload: Payload, context: ConsumeContext) => component.consume(payload, context)
      : async (payload: Payload, context: ConsumeContext) => {
          const draft = openDraft(payload)
          await component.transform(draft, context)
          const sealed = draft.seal()
          if (sealed.items > 0) await sink.consume(sealed, context)
        }
  const running = await start(component, made)
  return { ...running, sink, ...producing(sink), consume: (payload, context = NO_CONTEXT) => consume(payload, context) }
}

/** Runs a connector that gives out `to` for every `from`. */
export async function runConnector<C, N extends string, W>(
  definition: ConnectorDefinition<C, N, W>,
  from: Signal,
  to: Signal,
  written?: W,
  options: RunComponentOptions & { readonly pipelinesOut?: Readonly<Record<string, Consumer>> } = {},
): Promise<RunningConsumer & RunningProducer> {
  const sink = new Sink()
  const made = prepare(definition, [from, to], written, options)
  const router = {
    pipelines: new Map(Object.entries(options.pipelinesOut ?? {})),
    consume: (data: Payload, context: ConsumeContext) => sink.consume(data, context),
  }
  const component = definition.create(made.config, from, to, router, made.context)
  const running = await start(component, made)
  return {
    ...running,
    sink,
    ...producing(sink),
    consume: (data, context = NO_CONTEXT) => component.consume(data, context),
  }
}

/** Runs an exporter for every signal that it knows. */
export async function runExporter<C, S extends Signal, N extends string, W>(
  definition: ExporterDefinition<C, S, N, W>,
  written?: W,
  options: RunComponentOptions = {},
): Promise<RunningConsumer> {
  const made = prepare(definition, signalsOf(definition.stability), written, options)
  const component = definition.create(made.config, made.context)
  const running = await start(component, made)
  return { ...running, consume: (data, context = NO_CONTEXT) => component.consume(data, context) }
}

/** Runs a receiver whose every signal leads to one sink. */
export async function runReceiver<C, S extends Signal, N extends string, W>(
  definition: ReceiverDefinition<C, S, N, W>,
  written?: W,
  options: RunComponentOptions = {},
): Promise<RunningProducer> {
  const sink = new Sink()
  const made = prepare(definition, signalsOf(definition.stability), written, options)
  const next = Object.fromEntries(made.context.signals.map(signal => [signal, sink])) as Consumers
  return { ...(await start(definition.create(made.config, next, made.context), made)), sink, ...producing(sink) }
}

/** Runs an extension. */
export async function runExtension<C, N extends string, W>(
  definition: ExtensionDefinition<C, N, W>,
  written?: W,
  options: RunComponentOptions = {},
): Promise<RunningComponent> {
  const made = prepare(definition, [], written, options)
  return start(definition.create(made.config, made.context), made)
}

interface Made<C = unknown> {
  readonly config: C
  readonly context: TestContext
  readonly host: TestHost
}

/** Checks the configuration as the collector does. */
function prepare<C>(
  of: Pick<Definition, 'kind' | 'type'> & { readonly config: Schema<C>; check?(config: C): Iterable<string> },
  signals: readonly Signal[],
  written: unknown,
  options: RunComponentOptions,
): Made<C> {
  const config = configure(of.config, written ?? {})
  const faults = [...(of.check?.(config) ?? [])]
  if (faults.length > 0) throw new Error(`invalid configuration of ${of.kind} ${of.type}: ${faults.join('; ')}`)
  const { host = new TestHost(), ...more } = options
  return { config, host, context: testContext({ id: of.type, ...more, kind: of.kind, signals }) }
}

async function start(component: Component, { context, host }: Made): Promise<RunningComponent> {
  await component.start?.(host)
  return { component, context, host, [Symbol.asyncDispose]: async () => component.shutdown?.() }
}

function producing(sink: Sink): Pick<RunningProducer, 'records'> {
  return { records: () => sink.payloads.flatMap(flatRecords) }
}

function signalsOf(stability: object): Signal[] {
  return SIGNALS.filter(signal => signal in stability)
}
