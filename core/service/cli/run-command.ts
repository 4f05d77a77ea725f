import { InvalidDuration, parseDuration } from '#core/config'
import { Collector } from '../collector.ts'
import type { OwnTelemetry } from '../telemetry/own-telemetry.ts'
import { createTelemetry } from '../telemetry/telemetry.ts'
import { Attendance } from './attendance.ts'
import { type Cli, type CliCommand, type Options, textOf } from './cli-command.ts'
import type { CliSignal } from './cli-io.ts'
import { UsageError } from './command-line.ts'
import { describeError } from './describe-error.ts'
import { ExitCode, exitCodeOf } from './exit-code.ts'
import { noOperands, SOURCE_OPTIONS, sourcesOf } from './source-options.ts'

const OPTIONS = {
  ...SOURCE_OPTIONS,
  watch: {
    type: 'boolean',
    default: false,
    description:
      'Reads the configuration again whenever one of its files, or of the local files of its components, changes; only what differs restarts',
  },
  'shutdown-timeout': {
    type: 'string',
    default: '30s',
    description:
      'How long a graceful shutdown may take; what has not finished by then is given up and logged. 0s waits without end',
  },
} as const

/**
 * Runs a collector until a signal or a fatal error ends it. SIGINT and SIGTERM shut down gracefully, a second one ends
 * at once, SIGHUP reads the configuration again.
 */
export function runCommand(cli: Cli): CliCommand {
  return {
    name: 'run',
    summary: 'Runs a collector; what happens without a command',
    options: OPTIONS,
    watchesSignals: true,
    async run({ options, operands }) {
      noOperands(operands)
      const { distribution, io } = cli
      const deadline = deadlineOf(options)
      const streams = { stdout: io.stdout, stderr: io.stderr }
      let own: OwnTelemetry | undefined
      const collector = new Collector({
        distribution,
        ...sourcesOf(options, cli),
        streams,
        telemetry: (...about) => {
          own = createTelemetry(...about)
          return own
        },
      })
      const attendance = new Attendance(collector, () => own?.logger())
      const asked = Promise.withResolvers<'asked'>()
      const forced = Promise.withResolvers<number>()
      let endings = 0
      const watch = (signal: CliSignal, handle: () => void) =>
        io.onSignal(signal, () => {
          own?.logger().info('Received signal from OS', { signal: SIGNAL_NAMES[signal] })
          handle()
        })
      const end = (signal: 'SIGINT' | 'SIGTERM') => () => {
        endings++
        if (endings === 1) asked.resolve('asked')
        else forced.resolve(exitCodeOf(signal))
      }
      const watches: (() => void)[] = [
        watch('SIGINT', end('SIGINT')),
        watch('SIGTERM', end('SIGTERM')),
        watch('SIGHUP', () => {
          // A failure is in the log already, and the previous configuration keeps running.
          collector.reload().then(
            () => attendance.watchLoop(),
            () => {},
          )
        }),
        () => attendance[Symbol.dispose](),
      ]
      const uncaught = io.onUncaught?.(error => {
        if (collector.blame(error)) return
        io.stderr.write(`Error: ${error instanceof Error ? error.stack : String(error)}\n`)
        forced.resolve(ExitCode.Fatal)
      })
      if (uncaught !== undefined) watches.push(uncaught)
      try {
        const watching = () => {
          attendance.watchLoop()
          if (options.watch === true) attendance.watchFiles()
        }
        return await Promise.race([live(collector, asked.promise, deadline, cli, watching), forced.promise])
      } finally {
        for (const stop of watches) stop()
      }
    },
  }
}

/** As Go prints them. */
const SIGNAL_NAMES: Readonly<Record<CliSignal, string>> = {
  SIGINT: 'interrupt',
  SIGTERM: 'terminated',
  SIGHUP: 'hangup',
}

/** From start to end. Rejects when the collector cannot start. */
async function live(
  collector: Collector,
  asked: Promise<'asked'>,
  deadline: number | undefined,
  { io }: Cli,
  onStarted: () => void,
): Promise<number> {
  const started = collector.start().then(onStarted)
  const early = await Promise.race([started.then(() => undefined), asked])
  if (early === 'asked') started.catch(() => {})
  const cause = early ?? (await Promise.race([asked, collector.fatal]))
  if (cause !== 'asked') io.stderr.write(describeError(cause))
  const clean = await stop(collector, deadline, io.stderr)
  if (cause !== 'asked') return ExitCode.Fatal
  return clean ? ExitCode.Ok : ExitCode.Unclean
}

/** Whether everything stopped without errors and in time. */
async function stop(
  collector: Collector,
  deadline: number | undefined,
  stderr: { write(text: string): unknown },
): Promise<boolean> {
  const begun = performance.now()
  try {
    await collector.shutdown(deadline)
    return deadline === undefined || performance.now() - begun < deadline
  } catch (error) {
    stderr.write(describeError(error))
    return false
  }
}

/** Milliseconds; `undefined` waits without end. */
function deadlineOf(options: Options): number | undefined {
  const text = textOf(options, 'shutdown-timeout') ?? OPTIONS['shutdown-timeout'].default
  try {
    const ms = parseDuration(text)
    if (ms < 0) throw new InvalidDuration(`must not be negative, got ${text}`)
    return ms === 0 ? undefined : ms
  } catch (error) {
    if (!(error instanceof InvalidDuration)) throw error
    throw new UsageError(`invalid argument "${text}" for "--shutdown-timeout" flag: ${error.message}`)
  }
}
