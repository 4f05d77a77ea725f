import { PassThrough } from 'node:stream'
import { type Command, defineExtension } from '#core/component'
import { t } from '#core/config'
import { type CliIo, runCli } from '#core/service'
import { gatewayCommands } from './commands.ts'

const NOTHING = { receivers: [], processors: [], exporters: [], connectors: [] }

/** A distribution with `commands` and nothing else. */
const distributionOf = (commands: readonly Command[]) => ({
  ...{ ...NOTHING, command: 'millrace', description: 'Commands', version: '0.0.0' },
  extensions: [
    defineExtension({
      type: 'commands',
      description: 'Brings them.',
      stability: 'stable',
      config: t.section({}),
      create: () => ({}),
      commands,
    }),
  ],
})

/** A command that runs: what it printed so far, how to interrupt it, and its exit code. */
export interface RunningCommand {
  readonly output: { out: string; err: string }
  readonly code: Promise<number>
  interrupt(): void
}

/** Runs `gateway <args>` as the command line would. */
export function gateway(args: readonly string[], commands: readonly Command[] = gatewayCommands): RunningCommand {
  const output = { out: '', err: '' }
  let interrupt = () => {}
  const io: CliIo = {
    stdin: new PassThrough(),
    stdout: {
      write(text: string) {
        output.out += text
      },
    },
    stderr: {
      write(text: string) {
        output.err += text
      },
    },
    env: {},
    onSignal(signal, handler) {
      if (signal === 'SIGINT') interrupt = handler
      return () => {}
    },
  }
  return { output, code: runCli(distributionOf(commands), ['gateway', ...args], io), interrupt: () => interrupt() }
}

/** The same to its end. */
export async function gatewayToEnd(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const running = gateway(args)
  const code = await running.code
  return { code, ...running.output }
}
