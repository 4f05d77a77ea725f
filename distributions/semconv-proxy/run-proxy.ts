import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { type CliIo, ExitCode, runCli, type TextSink } from '#core/service'
import { findBackend } from './backend.ts'
import { configurationOf } from './configuration.ts'
import { createDirectory } from './create-directory.ts'
import { semconvProxy } from './index.ts'
import { helpText, type Settings } from './options.ts'
import { type Request, readSettings, SettingsError } from './settings.ts'

/**
 * Runs the proxy as its command line says, until a signal ends it. What goes wrong is printed to standard error.
 * @param argv the arguments after the program's name
 * @returns the exit code: 1 when it could not start
 */
export async function runProxy(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    const request: Request = readSettings(argv, io.env)
    if (request.action === 'run') return await run(request.settings, io)
    io.stdout.write(
      request.action === 'help' ? helpText() : `${semconvProxy.command} version ${semconvProxy.version}\n`,
    )
    return ExitCode.Ok
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    io.stderr.write(`${error.message}\n`)
    return ExitCode.Failure
  }
}

async function run(settings: Settings, io: CliIo): Promise<number> {
  await prepareDirectory(settings['data-dir'])
  const configuration = configurationOf(settings, await findBackend(settings))
  // What looks like a reference in a setting is meant literally.
  const source = `yaml:${JSON.stringify(configuration).replaceAll('$', '$$$$')}`
  return runCli(semconvProxy, ['--config', source], { ...io, stderr: inOurWords(io.stderr, settings) })
}

/** @throws {SettingsError} when the directory cannot be made or written to */
async function prepareDirectory(path: string): Promise<void> {
  try {
    await createDirectory(path)
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new SettingsError(`failed to create data directory: ${(error as Error).message}`)
  }
}

/** A port that is taken is told by the name of the setting that chose it. */
function inOurWords(stderr: TextSink, settings: Settings): TextSink {
  const owners = new Map<number, string>([
    [settings['api-port'], 'api'],
    [settings['otlp-grpc-port'], 'receiver: grpc'],
    [settings['otlp-http-port'], 'receiver: http'],
  ])
  return {
    write(text) {
      const taken = text.startsWith('Error: ') ? /:(\d+): bind: address already in use/.exec(text)?.[1] : undefined
      const owner = taken === undefined ? undefined : owners.get(Number(taken))
      return stderr.write(owner === undefined ? text : `${owner}: listen: address already in use\n`)
    },
  }
}
