import { readFile } from 'node:fs/promises'
import type { Clock, Logger } from '#core/component'

/** Milliseconds between two looks at a watched file. */
const INTERVAL = 1000

/** What a file says, kept up to date. */
export interface Watched<T> {
  /** What the file said when it was last usable. */
  readonly value: T
  /** Stops looking at the file. */
  close(): void
}

/** What watching needs from its surroundings. */
export interface WatchDeps {
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Reads a file and then looks again every second, comparing what it says: so a file that is written anew, renamed into
 * place or reached through a symbolic link that is swapped (as Kubernetes does with secrets) is noticed alike. While
 * the file is away or says what `parse` refuses, the former value stays, and the log tells why.
 * @param parse throws an Error that does not quote the text: it may be a secret
 * @throws {Error} when the file cannot be read or used at first
 */
export async function watchFile<T>(path: string, parse: (text: string) => T, deps: WatchDeps): Promise<Watched<T>> {
  const { clock, logger } = deps
  const read = async () => {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      throw new Error(`Could not read ${path}: ${(error as NodeJS.ErrnoException).code}`, { cause: error })
    }
  }
  const use = (read: string) => {
    try {
      return parse(read)
    } catch (error) {
      throw new Error(`Could not use ${path}: ${(error as Error).message}`)
    }
  }
  let text = await read()
  let value = use(text)
  let complaint = ''
  let closed = false
  const look = async () => {
    try {
      const now = await read()
      if (now !== text && !closed) {
        value = use(now)
        text = now
        logger.info('File reloaded', { path })
      }
      complaint = ''
    } catch (error) {
      const { message } = error as Error
      if (message !== complaint && !closed) logger.warn('Could not reload a file, keeping what it said', { error })
      complaint = message
    }
    if (!closed) timer = clock.after(INTERVAL, look)
  }
  let timer = clock.after(INTERVAL, look)
  return {
    get value() {
      return value
    },
    close() {
      closed = true
      timer.cancel()
    },
  }
}
