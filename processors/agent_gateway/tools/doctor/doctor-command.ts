import { type Clock, type Command, type CommandInvocation, systemClock } from '#core/component'
import { parseDuration } from '#core/config'
import { readVersionOption, VERSION_OPTION } from '../gateway/version-option.ts'
import { type GatewaySignal, SIGNALS } from './arrivals.ts'
import { listenForGateway } from './listen.ts'
import { printReport, reportOn } from './report.ts'

/** Stands in for the collector and says what the gateway sends. */
export function doctorCommand(clock: Clock = systemClock): Command {
  return {
    name: 'gateway doctor',
    summary: 'Listens for the agent gateway and says what arrives, what does not, and why that usually is',
    usage: 'gateway doctor [--endpoint 127.0.0.1:4318] [--timeout 90s] [--signals traces,metrics] [--format text|json]',
    options: {
      endpoint: { type: 'string', description: 'Where to listen, as the gateway was told', default: '127.0.0.1:4318' },
      timeout: { type: 'string', description: 'How long to wait for what is missing', default: '90s' },
      signals: { type: 'string', description: 'What to wait for, separated by commas', default: SIGNALS.join(',') },
      'gateway-version': VERSION_OPTION,
      format: { type: 'string', description: 'text or json', default: 'text' },
    },
    run: invocation => doctor(invocation, clock),
  }
}

async function doctor({ options, operands, stdout, stderr, signal }: CommandInvocation, clock: Clock): Promise<number> {
  const usage = (message: string) => {
    stderr.write(`Error: ${message}\n`)
    return 2
  }
  if (operands.length > 0) return usage(`unexpected argument "${operands[0]}"`)
  if (options.format !== 'text' && options.format !== 'json') return usage('format must be text or json')
  const version = readVersionOption(options)
  if (version instanceof Error) return usage(version.message)
  const signals = signalsOf(String(options.signals))
  if (signals === undefined) return usage(`signals must be some of ${SIGNALS.join(', ')}, got "${options.signals}"`)
  const timeout = durationOf(String(options.timeout))
  if (timeout === undefined) return usage(`timeout must be a duration such as 90s, got "${options.timeout}"`)
  const endpoint = String(options.endpoint)
    .replace(/^http:\/\//, '')
    .replace(/\/.*$/, '')
  let address = endpoint
  try {
    const arrivals = await listenForGateway({
      ...{ endpoint, timeout, signals, signal, clock },
      onListening(real) {
        address = real
        stderr.write(
          `Listening on http://${real} for ${options.timeout}: send the agent a message (diagnostics.otel.endpoint must be this address)\n`,
        )
      },
      onFirst: (name, items) => stderr.write(`${name}: the first ${items} arrived\n`),
    })
    const report = reportOn(arrivals, address, signals, version)
    stdout.write(options.format === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : printReport(report))
    return report.ok ? 0 : 1
  } catch (error) {
    const message = (error as Error).message
    if (!message.includes('address already in use')) throw error
    stderr.write(
      `Error: ${endpoint} is taken, perhaps by a collector that runs: stop it while the doctor listens, or listen elsewhere with --endpoint 127.0.0.1:14318 and point diagnostics.otel.endpoint there\n`,
    )
    return 1
  }
}

function signalsOf(text: string): readonly GatewaySignal[] | undefined {
  const names = text.split(',').map(name => name.trim())
  const known = SIGNALS.filter(signal => names.includes(signal))
  return known.length === 0 || known.length !== new Set(names).size ? undefined : known
}

function durationOf(text: string): number | undefined {
  try {
    const duration = parseDuration(text)
    return duration > 0 ? duration : undefined
  } catch {
    return undefined
  }
}
