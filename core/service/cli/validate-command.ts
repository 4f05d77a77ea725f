import { systemClock } from '#core/component'
import { formatOrigin, type Warning } from '#core/config'
import { Engine } from '../engine.ts'
import { CollectorHost } from '../host.ts'
import { type Loaded, load } from '../loaded.ts'
import { Statuses } from '../statuses.ts'
import type { TelemetryConfig } from '../telemetry/schema.ts'
import { createTelemetry } from '../telemetry/telemetry.ts'
import type { Cli, CliCommand } from './cli-command.ts'
import { describeError } from './describe-error.ts'
import { ExitCode } from './exit-code.ts'
import { noOperands, SOURCE_OPTIONS, sourcesOf } from './source-options.ts'

/** Checks a configuration: everything that can be found out without opening anything. Says nothing when all is well. */
export function validateCommand(cli: Cli): CliCommand {
  return {
    name: 'validate',
    summary: 'Checks a configuration without running it; prints nothing when it is fine',
    options: SOURCE_OPTIONS,
    async run({ options, operands, stderr }) {
      noOperands(operands)
      const sources = sourcesOf(options, cli)
      try {
        const loaded = await load(cli.distribution, sources)
        await build(loaded, cli)
        for (const warning of loaded.plan.configuration.warnings) {
          if (warning.level === 'warn') stderr.write(`Warning: ${describeWarning(warning)}\n`)
        }
        return ExitCode.Ok
      } catch (error) {
        stderr.write(describeError(error, true))
        return ExitCode.Failure
      }
    },
  }
}

/** Creates every component of the plan, with telemetry that goes nowhere, and starts none of them. */
async function build(loaded: Loaded, { distribution }: Cli): Promise<void> {
  const { command, description, version } = distribution
  const parts = { build: { command, description, version }, clock: systemClock, statuses: new Statuses(systemClock) }
  const telemetry = createTelemetry(silent(loaded.telemetry), parts.build)
  // Components see the host once they start, and none does.
  const host = new CollectorHost(parts.build, parts.statuses, () => {
    throw new Error('nothing runs')
  })
  try {
    new Engine(loaded, telemetry, { ...parts, host, gates: new Set(), startTime: 0, fatal() {} })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`failed to build pipelines: ${why}`, { cause: error })
  } finally {
    await telemetry.shutdown()
  }
}

/** The same, with nobody to tell. */
function silent(config: TelemetryConfig): TelemetryConfig {
  return {
    ...config,
    logs: { ...config.logs, output_paths: [], error_output_paths: [], processors: [] },
    metrics: { ...config.metrics, readers: [] },
    traces: { ...config.traces, processors: [] },
  }
}

function describeWarning({ message, fields, path, origin }: Warning): string {
  const place = origin === undefined ? '' : `${formatOrigin(origin)}  `
  const about = path === undefined || message.includes(path) ? '' : `${path}: `
  const details = Object.entries(fields ?? {}).map(([name, value]) => ` ${name}=${value}`)
  return place + about + message + details.join('')
}
