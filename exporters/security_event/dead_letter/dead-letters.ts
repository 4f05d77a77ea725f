import { type FileHandle, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Logger, Timer } from '#core/component'
import { type Payload, split } from '#core/data'
import { type DeadLetter, FINISHED, OPEN } from './entry.ts'

export interface DeadLetterOptions {
  readonly directory: string
  readonly max_bytes: number
  readonly max_file_bytes: number
  /** Milliseconds. */
  readonly max_file_age: number
}

/** An event to be kept. */
export interface Undelivered {
  /** Position of its record in the payload. */
  readonly index: number
  readonly id: string
  readonly event: string
  readonly reason: string
  readonly why: string
}

interface Deps {
  readonly clock: Clock
  readonly logger: Logger
  readonly exporter: string
}

/**
 * Files with what could not be delivered, a JSON object a line. A file is renamed to its final name once it is full, old
 * or closed; only then may it be taken away. What lies there is never deleted to make room.
 */
export class DeadLetters {
  readonly #options: DeadLetterOptions
  readonly #deps: Deps
  readonly #prefix: string
  #file: FileHandle | undefined
  #path = ''
  #size = 0
  /** In the files that were there when it was counted last, and since. */
  #total = 0
  #count = 0
  #timer: Timer | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor(options: DeadLetterOptions, deps: Deps) {
    this.#options = options
    this.#deps = deps
    this.#prefix = deps.exporter.replace(/[^A-Za-z0-9_-]/g, '-')
  }

  /**
   * Makes the directory and finishes files that an earlier process left open.
   * @throws {Error} when the directory cannot be used
   */
  async open(): Promise<void> {
    const { directory } = this.#options
    await mkdir(directory, { recursive: true, mode: 0o700 })
    for (const name of await readdir(directory)) {
      if (!name.endsWith(OPEN) || !name.startsWith(`${this.#prefix}.`)) continue
      await rename(join(directory, name), join(directory, name.slice(0, -OPEN.length) + FINISHED))
    }
    this.#total = await sizeOf(directory)
  }

  /** Writes events down; resolves to how many were, after they are with the operating system. Never rejects. */
  add(payload: Payload<'logs'>, events: readonly Undelivered[]): Promise<number> {
    const adding = this.#work.then(() => this.#add(payload, events))
    this.#work = adding
    return adding
  }

  /** Finishes the file under way. */
  async close(): Promise<void> {
    await this.#exclusively(() => this.#finish())
  }

  async #add(payload: Payload<'logs'>, events: readonly Undelivered[]): Promise<number> {
    let kept = 0
    try {
      const single = split(payload, { items: 1 })
      for (const { index, id, event, reason, why } of events) {
        const time = new Date(this.#deps.clock.now()).toISOString()
        const otlp = single[index]!.flat().toString('base64')
        const entry: DeadLetter = { time, exporter: this.#deps.exporter, reason, message: why, id, event, otlp }
        if (!(await this.#write(Buffer.from(`${JSON.stringify(entry)}\n`)))) break
        kept++
      }
    } catch (error) {
      this.#deps.logger.error('Could not write to the dead letter. Dropping data.', {
        error,
        dropped_items: events.length - kept,
      })
      return kept
    }
    const lost = events.length - kept
    if (lost > 0) this.#deps.logger.error('The dead letter is full. Dropping data.', { dropped_items: lost })
    return kept
  }

  async #write(line: Buffer): Promise<boolean> {
    const { directory, max_bytes, max_file_bytes } = this.#options
    if (this.#total + line.length > max_bytes) {
      // Someone may have taken files away.
      this.#total = await sizeOf(directory)
      if (this.#total + line.length > max_bytes) return false
    }
    if (this.#file !== undefined && this.#size + line.length > max_file_bytes) await this.#finish()
    const file = this.#file ?? (await this.#start())
    await file.appendFile(line)
    this.#size += line.length
    this.#total += line.length
    return true
  }

  async #start(): Promise<FileHandle> {
    const { directory, max_file_age } = this.#options
    const time = new Date(this.#deps.clock.now()).toISOString().replace(/[:.]/g, '-')
    const name = `${this.#prefix}.${time}-${process.pid}-${this.#count++}`
    this.#path = join(directory, name)
    this.#file = await open(this.#path + OPEN, 'ax', 0o600)
    this.#size = 0
    if (max_file_age > 0) {
      this.#timer = this.#deps.clock.after(max_file_age, () => void this.#exclusively(() => this.#finish()))
    }
    return this.#file
  }

  async #finish(): Promise<void> {
    this.#timer?.cancel()
    const file = this.#file
    this.#file = undefined
    if (file === undefined) return
    await file.close()
    await rename(this.#path + OPEN, this.#path + FINISHED)
  }

  #exclusively(run: () => Promise<void>): Promise<void> {
    const running = this.#work.then(run).catch(error => {
      this.#deps.logger.error('Could not finish a dead letter file', { error })
    })
    this.#work = running
    return running
  }
}

/** Bytes in the files of a directory. */
async function sizeOf(directory: string): Promise<number> {
  const names = (await readdir(directory)).filter(name => name.endsWith(FINISHED) || name.endsWith(OPEN))
  const sizes = await Promise.all(
    names.map(name =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
