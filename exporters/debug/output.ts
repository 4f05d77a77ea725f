import { type FileHandle, open } from 'node:fs/promises'
import type { LogFields, Logger } from '#core/component'

/** Where messages go. */
export interface Output {
  open(): Promise<void>
  /** Resolves once the message is out; rejects when it cannot be written. */
  write(logger: Logger, message: string, fields?: LogFields): Promise<void>
  close(): Promise<void>
}

/** The collector's own log. */
export const internalLog: Output = {
  open: () => Promise.resolve(),
  write(logger, message, fields) {
    logger.info(message, fields)
    return Promise.resolve()
  },
  close: () => Promise.resolve(),
}

/** Standard output, standard error and files, each message a line followed by its fields as JSON. */
export class PathOutput implements Output {
  readonly #paths: readonly string[]
  #files: FileHandle[] = []
  #queue: Promise<unknown> = Promise.resolve()

  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  async open(): Promise<void> {
    for (const path of this.#paths) if (!(path in STREAMS)) this.#files.push(await open(path, 'a'))
  }

  /** One message after the other, so that those of different requests do not mix. */
  write(_logger: Logger, message: string, fields?: LogFields): Promise<void> {
    const line = `${message}${fields === undefined ? '' : `\t${spaced(fields)}`}\n`
    const written = this.#queue.then(async () => {
      await Promise.all([
        ...this.#paths.filter(path => path in STREAMS).map(path => writeStream(path as keyof typeof STREAMS, line)),
        ...this.#files.map(file => file.appendFile(line)),
      ])
    })
    this.#queue = written.catch(() => {})
    return written
  }

  async close(): Promise<void> {
    const files = this.#files
    this.#files = []
    await this.#queue
    await Promise.all(files.map(file => file.close()))
  }
}

const STREAMS = { stdout: () => process.stdout, stderr: () => process.stderr }

function writeStream(name: keyof typeof STREAMS, line: string): Promise<void> {
  return new Promise((resolve, reject) => STREAMS[name]().write(line, error => (error ? reject(error) : resolve())))
}

/** JSON with a space after each colon and comma. */
function spaced(fields: LogFields): string {
  const entries = Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return `{${entries.join(', ')}}`
}
