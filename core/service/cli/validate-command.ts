import { systemClock } from '#core/component'
import { ConfigError, compareOrigins, printJson, type Warning } from '#core/config'
import { type Diagnostic, diagnosticsOf, diagnosticsOfWarnings } from '../diagnostics/diagnostic.ts'
import { Engine } from '../engine.ts'
import { CollectorHost } from '../host.ts'
import { type Loaded, load, type Sources } from '../loaded.ts'
import { Statuses } from '../statuses.ts'
import type { TelemetryConfig } from '../telemetry/schema.ts'
import { createTelemetry } from '../telemetry/telemetry.ts'
import { type Cli, type CliCommand, textOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { describeError, describeWarning } from './describe-error.ts'
import { ExitCode } from './exit-code.ts'
import { noOperands, SOURCE_OPTIONS, sourcesOf } from './source-options.ts'

const OPTIONS = {
  ...SOURCE_OPTIONS,
  format: {
    type: 'string',
    default: 'text',
    description: 'text, or json for editors and CI: everything that was found, on standard output',
  },
  strict: { type: 'boolean', default: false, description: 'Fails when there are warnings, too' },
} as const

/**
 * Checks a configuration: everything that can be found out without opening anything. Says nothing when all is well, and
 * what is not on standard error.
 */
export function validateCommand(cli: Cli): CliCommand {
  return {
    name: 'validate',
    summary: 'Checks a configuration without running it; prints nothing when it is fine',
    options: OPTIONS,
    async run({ options, operands, stdout, stderr }) {
      noOperands(operands)
      const format = textOf(options, 'format')
      if (format !== 'text' && format !== 'json') {
        throw new UsageError(`unrecognized format "${format}": must be text or json`)
      }
      const { error, warnings } = await examine(cli, sourcesOf(options, cli))
      const failed = error !== undefined || (options.strict === true && warnings.length > 0)
      if (format === 'json') {
        const diagnostics = [...diagnosticsOfError(error), ...diagnosticsOfWarnings(warnings)]
        stdout.write(printJson({ valid: error === undefined, diagnostics }))
      } else {
        for (const warning of warnings) stderr.write(`Warning: ${describeWarning(warning)}\n`)
        if (error !== undefined) stderr.write(describeError(error, true))
      }
      return failed ? ExitCode.Failure : ExitCode.Ok
    },
  }
}

interface Examined {
  readonly error?: unknown
  readonly warnings: readonly Warning[]
}

async function examine(cli: Cli, sources: Sources): Promise<Examined> {
  let warnings: readonly Warning[] = []
  try {
    const loaded = await load(cli.distribution, sources, { excerpts: true })
    warnings = toldOf(loaded.plan.configuration.warnings)
    await build(loaded, cli, sources)
    return { warnings }
  } catch (error) {
    return { error, warnings: error instanceof ConfigError ? toldOf(error.warnings) : warnings }
  }
}

function toldOf(warnings: readonly Warning[]): Warning[] {
  return warnings.filter(({ level }) => level === 'warn').toSorted(byPosition)
}

/** Those without a position first. */
function byPosition({ origin: a }: Warning, { origin: b }: Warning): number {
  return a && b ? compareOrigins(a, b) : Number(a !== undefined) - Number(b !== undefined)
}

function diagnosticsOfError(error: unknown): Diagnostic[] {
  if (error === undefined) return []
  if (error instanceof ConfigError) return diagnosticsOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return [{ severity: 'error', code: 'build', message, path: '' }]
}

/** Creates every component of the plan, with telemetry that goes nowhere, starts none of them, and closes all. */
async function build(loaded: Loaded, { distribution }: Cli, { gates = new Set() }: Sources): Promise<void> {
  const { command, description, version } = distribution
  const parts = { build: { command, description, version }, clock: systemClock, statuses: new Statuses(systemClock) }
  const telemetry = createTelemetry(silent(loaded.telemetry), parts.build)
  // Components see the host once they start, and none does.
  const host = new CollectorHost(parts.build, parts.statuses, () => {
    throw new Error('nothing runs')
  })
  const patience = Promise.withResolvers<void>()
  const timer = parts.clock.after(PATIENCE, patience.resolve)
  try {
    const engine = new Engine(loaded, telemetry, { ...parts, host, gates, startTime: 0, fatal() {} })
    await engine.stop(patience.promise)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`failed to build pipelines: ${why}`, { cause: error })
  } finally {
    timer.cancel()
    await telemetry.shutdown()
  }
}

/** Milliseconds for components that were never started to give back what they took. */
const PATIENCE = 5000

/** The same, with nobody to tell. */
function silent(config: TelemetryConfig): TelemetryConfig {
  return {
    ...config,
    logs: { ...config.logs, output_paths: [], error_output_paths: [], processors: [] },
    metrics: { ...config.metrics, readers: [] },
    traces: { ...config.traces, processors: [] },
  }
}
