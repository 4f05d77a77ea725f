import { PassThrough } from 'node:stream'
import {
  type Component,
  type Distribution,
  defineConnector,
  defineExporter,
  defineExtension,
  defineProcessor,
  defineReceiver,
} from '#core/component'
import { t } from '#core/config'
import type { CliSettings } from './cli-command.ts'
import type { CliIo, CliSignal } from './cli-io.ts'
import { runCli } from './run-cli.ts'

const o = { description: 'What it is for.' }
const stable = { traces: 'stable', metrics: 'stable', logs: 'beta' } as const

/** What the components of {@link testDistribution} do, for tests to interfere. */
export class Behaviour {
  /** Starts and stops in order, `start r`. */
  readonly events: string[] = []
  create: () => void = () => {}
  start: (fatal: (error: Error) => void) => void | Promise<void> = () => {}
  stop: () => void | Promise<void> = () => {}
}

/** A receiver `r`, processors `p` and `q` (alias `old_q`), an exporter `e` with a secret, a connector `c` and an extension `x` with commands. */
export function testDistribution(behaviour = new Behaviour()): Distribution {
  const { events } = behaviour
  const quiet: Component = {}
  const receiver = defineReceiver({
    type: 'r',
    description: 'Receives.',
    stability: stable,
    config: t.section({
      opaque: t.secret({ ...o, default: '1234' }),
      headers: t.headers({ ...o, default: {} }),
      port: t.integer({ ...o, default: 4317 }),
      tags: t.list(t.string(o), { ...o, default: [] }),
    }),
    *check({ port }) {
      if (port === 13) yield 'port: cannot be 13'
    },
    create: (_config, _next, context) => {
      behaviour.create()
      return {
        async start() {
          events.push('start r')
          await behaviour.start(error => context.report('FatalError', error))
        },
        async shutdown() {
          events.push('stop r')
          await behaviour.stop()
        },
      }
    },
  })
  const processor = (type: string, aliases: readonly string[] = []) =>
    defineProcessor({
      type,
      aliases,
      description: 'Processes.',
      stability: stable,
      config: t.section({}),
      create: () => ({ transform() {} }),
    })
  const exporter = defineExporter({
    type: 'e',
    description: 'Exports.',
    stability: stable,
    config: t.section({
      timeout: t.duration({ ...o, default: '1s' }),
      queue: t.whenPresent(t.section({ size: t.integer({ ...o, default: 10 }) }), o),
    }),
    create: () => ({ async consume() {} }),
  })
  const connector = defineConnector({
    type: 'c',
    description: 'Connects.',
    stability: { traces: { traces: 'development', metrics: 'alpha' } },
    config: t.section({}),
    create: () => ({ async consume() {} }),
  })
  const extension = defineExtension({
    type: 'x',
    description: 'Extends.',
    stability: 'stable',
    config: t.section({}),
    create: () => quiet,
    commands: [
      {
        name: 'x greet',
        summary: 'Greets whoever is named',
        options: {
          loud: { type: 'boolean', short: 'l', description: 'Loudly' },
          name: { type: 'string', description: 'Whom' },
        },
        async run({ options, operands, stdout }) {
          const text = `hello ${options.name ?? operands.join(' ')}`
          stdout.write(`${options.loud === true ? text.toUpperCase() : text}\n`)
          return 7
        },
      },
      {
        name: 'x wait',
        summary: 'Waits until it is told to stop',
        run: ({ signal, stdout }) =>
          new Promise(resolve => {
            stdout.write('waiting\n')
            signal.addEventListener('abort', () => resolve(0))
          }),
      },
    ],
  })
  return {
    command: 'mill',
    description: 'A collector for tests',
    version: '1.2.3',
    receivers: [receiver],
    processors: [processor('q', ['old_q']), processor('p')],
    exporters: [exporter],
    connectors: [connector],
    extensions: [extension],
  }
}

/** The process that a command line under test sees. */
export class TestIo implements CliIo {
  readonly stdin = new PassThrough()
  out = ''
  err = ''
  readonly stdout = {
    write: (text: string) => {
      this.out += text
    },
  }
  readonly stderr = {
    write: (text: string) => {
      this.err += text
    },
  }
  readonly env: Record<string, string>
  readonly #handlers = new Map<CliSignal, Set<() => void>>()

  constructor(env: Record<string, string> = {}) {
    this.env = env
  }

  onSignal(signal: CliSignal, handler: () => void): () => void {
    const handlers = this.#handlers.get(signal) ?? new Set()
    this.#handlers.set(signal, handlers.add(handler))
    return () => handlers.delete(handler)
  }

  signal(signal: CliSignal): void {
    for (const handler of this.#handlers.get(signal) ?? []) handler()
  }

  /** How many handlers are waiting for signals. */
  get watching(): number {
    return [...this.#handlers.values()].reduce((sum, handlers) => sum + handlers.size, 0)
  }
}

/** Runs a command line to its end. */
export async function cli(
  args: readonly string[],
  {
    env = {},
    settings,
    distribution = testDistribution(),
  }: {
    env?: Record<string, string>
    settings?: CliSettings
    distribution?: Distribution
  } = {},
): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo(env)
  const code = await runCli(distribution, args, io, settings)
  return { code, out: io.out, err: io.err }
}

/** `--config` of a configuration with one pipeline, quiet about itself; `text` is merged over it. */
export function configured(text = ''): string[] {
  const base = `{receivers: {r: }, exporters: {e: }, service: {telemetry: {logs: {encoding: json}, metrics: {level: none}},
    pipelines: {traces: {receivers: [r], exporters: [e]}}}}`
  return ['--config', `yaml:${base}`, ...(text === '' ? [] : ['--config', `yaml:${text}`])]
}
