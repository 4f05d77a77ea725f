import type { Distribution } from '#core/component'
import type { CliSettings } from './cli-command.ts'
import { processIo } from './cli-io.ts'
import { runCli } from './run-cli.ts'

/**
 * Runs the command line of a distribution as this process: takes its arguments, waits until all output is written, and
 * exits with the code. All there is to a `main.ts`.
 */
export async function runProcess(distribution: Distribution, settings: CliSettings = {}): Promise<never> {
  // Whoever reads the output may stop reading, as `head` does: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const code = await runCli(distribution, process.argv.slice(2), processIo(), settings)
  await Promise.all([flush(process.stdout), flush(process.stderr)])
  process.exit(code)
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => stream.write('', () => resolve()))
}
