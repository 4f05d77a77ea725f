/**
 * What every component of a kind must do, whatever it is for. Each component's `conformance.test.ts` calls the suite of
 * its kind. The numbers are those of the rules in `core/component/README.md`.
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Component,
  type ConnectorDefinition,
  type Consumer,
  type Consumers,
  type Definition,
  type ExporterDefinition,
  type ExtensionDefinition,
  NO_CONTEXT,
  type ProcessorDefinition,
  type ReceiverDefinition,
  type Router,
} from '#core/component'
import { optionTable } from '#core/config'
import { openDraft, type Payload, type Signal } from '#core/data'
import { configure } from './configure.ts'
import { type TestContext, testContext } from './context.ts'
import { tempDir } from './files.ts'
import { TestHost } from './host.ts'
import { payloadFor } from './records.ts'
import { Sink } from './sink.ts'

/** What the suites must be told about a component. */
export interface ConformanceOptions {
  /** The component's own folder: `import.meta.dirname`. */
  readonly folder: string
  /** What must be written under its id, `dir` being a directory of the test's own. Default: nothing. */
  readonly written?: (dir: string) => unknown
  /** Extensions that the host has, by id. */
  readonly extensions?: Readonly<Record<string, object>>
}

interface Instance {
  readonly component: Component
  /** Hands it something to do, if it takes data. */
  readonly work?: () => Promise<unknown>
}

// biome-ignore lint/suspicious/noExplicitAny: definitions of any configuration pass the same suite
type Any = any

/** The suite of receivers. */
export function describeReceiver(definition: ReceiverDefinition<Any, Any>, options: ConformanceOptions): void {
  const signals = signalsOf(definition.stability)
  describeComponent(definition, options, signals, (config, context) => {
    const next = Object.fromEntries(signals.map(signal => [signal, new Sink()])) as Consumers
    return { component: definition.create(config, next, context) }
  })
}

/** The suite of processors; each signal has an instance of its own. */
export function describeProcessor(definition: ProcessorDefinition<Any, Any>, options: ConformanceOptions): void {
  for (const signal of signalsOf(definition.stability)) {
    describeComponent(definition, options, [signal], (config, context) => {
      const component = definition.create(config, signal, new Sink(), context)
      const work =
        'consume' in component
          ? () => component.consume(payloadFor(signal), NO_CONTEXT)
          : async () => component.transform(openDraft(payloadFor(signal)), NO_CONTEXT)
      return { component, work }
    })
  }
}

/** The suite of exporters. */
export function describeExporter(definition: ExporterDefinition<Any, Any>, options: ConformanceOptions): void {
  const signals = signalsOf(definition.stability)
  describeComponent(definition, options, signals, (config, context) => {
    const component = definition.create(config, context)
    return { component, work: () => each(signals, signal => component.consume(payloadFor(signal), NO_CONTEXT)) }
  })
}

/** The suite of connectors; each pair of signals has an instance of its own. */
export function describeConnector(definition: ConnectorDefinition<Any>, options: ConformanceOptions): void {
  for (const [from, targets] of Object.entries(definition.stability) as [Signal, object][]) {
    for (const to of Object.keys(targets) as Signal[]) {
      describeComponent(definition, options, [from], (config, context) => {
        const component = definition.create(config, from, to, testRouter(new Sink()), context)
        return { component, work: () => component.consume(payloadFor(from), NO_CONTEXT) }
      })
    }
  }
}

/** The suite of extensions. */
export function describeExtension(definition: ExtensionDefinition<Any>, options: ConformanceOptions): void {
  describeComponent(definition, options, [], (config, context) => ({ component: definition.create(config, context) }))
}

/** The outputs of a connector under test: every id of `pipelines` leads to its own consumer, all of them to `all`. */
export function testRouter<S extends Signal>(
  all: Consumer<S>,
  pipelines: Readonly<Record<string, Consumer<S>>> = {},
): Router<S> {
  return {
    pipelines: new Map(Object.entries(pipelines)),
    consume: (data: Payload<S>, context) => all.consume(data, context),
  }
}

type Make = (config: unknown, context: TestContext) => Instance

function describeComponent(
  definition: Definition,
  options: ConformanceOptions,
  signals: readonly Signal[],
  make: Make,
) {
  const title = `${definition.kind} ${definition.type}${signals.length > 0 ? ` (${signals.join(', ')})` : ''}`
  describe(title, () => {
    describeDocumentation(definition, options)
    describeConfiguration(definition, options)
    describeLifecycle(definition, options, signals, make)
  })
}

function describeDocumentation(definition: Definition, { folder }: ConformanceOptions) {
  const { type, description, stability } = definition
  test('C1 stands in a folder named after its type', () => {
    expect(basename(folder)).toBe(type)
  })

  test('C2 says in a sentence what it is for, and how stable it is', () => {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(typeof stability === 'string' ? [stability] : Object.keys(stability)).not.toEqual([])
  })

  test('C3 has a README with an example, its options and its stability', () => {
    const path = join(folder, 'README.md')
    expect(existsSync(path)).toBe(true)
    const text = readFileSync(path, 'utf8')
    for (const part of ['```yaml', '<!-- options -->', '<!-- /options -->', '## Stability'])
      expect(text).toContain(part)
  })

  test('C3 has the options in its README that its schema has', () => {
    const text = readFileSync(join(folder, 'README.md'), 'utf8')
    const table = /<!-- options -->([\s\S]*?)<!-- \/options -->/.exec(text)?.[1]
    // `npm run docs` fills an empty one.
    expect([unpadded(optionTable(definition.config)), '']).toContain(unpadded(table))
  })
}

/** A Markdown table without the spaces and dashes that a formatter adds to align its columns. */
function unpadded(table = ''): string {
  return table.trim().replace(/ +/g, ' ').replace(/-{3,}/g, '---')
}

function describeConfiguration(definition: Definition, options: ConformanceOptions) {
  test('C4 accepts its documented configuration', async () => {
    await using dir = await tempDir()
    const config = configure(definition.config, options.written?.(dir.path))
    expect([...(definition.check?.(config) ?? [])]).toEqual([])
  })

  test('C5 refuses a key it does not know', async () => {
    await using dir = await tempDir()
    const written = { ...(options.written?.(dir.path) as object), no_such_key: 1 }
    expect(() => configure(definition.config, written)).toThrow('no_such_key')
  })
}

function describeLifecycle(
  definition: Definition,
  options: ConformanceOptions,
  signals: readonly Signal[],
  make: Make,
) {
  const scenario = async (run: (instance: Instance, host: TestHost, context: TestContext) => Promise<void>) => {
    await using dir = await tempDir()
    const host = new TestHost(options.extensions)
    const context = testContext({ id: definition.type, kind: definition.kind, signals })
    const instance = make(configure(definition.config, options.written?.(dir.path)), context)
    await run(instance, host, context)
    await instance.component.shutdown?.()
    expect(host.watchers, 'listeners left at the host').toBe(0)
    expect(context.fakeClock.pending, 'timers left').toBe(0)
    expect(context.ledger.total('queued'), 'items left queued').toBe(0)
  }

  test('C7 opens nothing when it is created', () =>
    scenario(async (_, host, context) => {
      expect([context.fakeClock.pending, host.watchers], 'timers, listeners').toEqual([0, 0])
    }))

  test('C8 starts, and C9 shuts down with nothing left', () =>
    scenario(async ({ component }, host) => {
      await component.start?.(host)
      await component.shutdown?.()
    }))

  test('C9 shuts down without having started', () => scenario(async () => {}))

  test('C10 shuts down twice, at once', () =>
    scenario(async ({ component }, host) => {
      await component.start?.(host)
      await Promise.all([component.shutdown?.(), component.shutdown?.()])
    }))

  test('C11 settles what it is handed before, during and after shutdown, C13 with no answer but a refusal', () =>
    scenario(async ({ component, work }, host, context) => {
      await component.start?.(host)
      const before = Promise.allSettled([work?.()])
      const shutdown = component.shutdown?.()
      const during = Promise.allSettled([work?.()])
      await context.fakeClock.advance(60_000)
      await Promise.all([before, shutdown, during])
      const after = Promise.allSettled([work?.()])
      for (const [answer] of await Promise.all([before, during, after])) {
        if (answer.status === 'fulfilled') expect(answer.value).toBeUndefined()
      }
    }))
}

async function each(signals: readonly Signal[], run: (signal: Signal) => Promise<void>): Promise<void> {
  await Promise.allSettled(signals.map(run))
}

function signalsOf(stability: object): Signal[] {
  return Object.keys(stability) as Signal[]
}
