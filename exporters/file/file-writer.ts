import { type FileHandle, open } from 'node:fs/promises'
import type { Rotation } from './rotation.ts'

interface Waiting {
  readonly pieces: readonly Buffer[]
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Records of one call to `writev`: as many as have come while the call before was under way, up to about this size. */
const BATCH_BYTES = 8 << 20
/** Linux takes no more buffers at a time. */
const BATCH_PIECES = 1024

/**
 * Appends records to a file, each whole or not at all. Records that come while others are being written go out together
 * in the next call. Nothing is held back: a record that was answered is with the operating system.
 */
export class FileWriter {
  readonly path: string
  readonly #flags: 'a' | 'w'
  readonly #rotation: Rotation | undefined
  #file: FileHandle | undefined
  #size = 0
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #closed = false

  /** `append` keeps what the file holds; otherwise opening empties it. With `rotation` it is always kept. */
  constructor(path: string, options: { readonly append: boolean; readonly rotation?: Rotation | undefined }) {
    this.path = path
    this.#rotation = options.rotation
    this.#flags = options.append || options.rotation !== undefined ? 'a' : 'w'
  }

  async open(): Promise<void> {
    this.#file = await open(this.path, this.#flags)
    this.#size = (await this.#file.stat()).size
  }

  /** Resolves once the record is written; rejects when it cannot be, and then none of it is in the file. */
  write(pieces: readonly Buffer[]): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(`File ${this.path} is closed`))
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pieces, bytes, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Writes what was handed in before, then closes. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#take()
      try {
        await this.#append(batch)
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#running = undefined
  }

  /** The records of the next call: at least one, and no more than fit before the next rotation. */
  #take(): Waiting[] {
    const room = this.#rotation === undefined ? BATCH_BYTES : Math.min(BATCH_BYTES, this.#rotation.limit - this.#size)
    let n = 1
    let bytes = this.#waiting[0]!.bytes
    let pieces = this.#waiting[0]!.pieces.length
    for (; n < this.#waiting.length; n++) {
      const next = this.#waiting[n]!
      bytes += next.bytes
      pieces += next.pieces.length
      if (bytes > room || pieces > BATCH_PIECES) break
    }
    return this.#waiting.splice(0, n)
  }

  async #append(batch: readonly Waiting[]): Promise<void> {
    const bytes = batch.reduce((sum, { bytes }) => sum + bytes, 0)
    if (this.#rotation !== undefined && this.#size > 0 && this.#size + bytes > this.#rotation.limit)
      await this.#rotate()
    if (this.#file === undefined) await this.open()
    const file = this.#file!
    try {
      await writeAll(
        file,
        batch.flatMap(({ pieces }) => pieces),
      )
      this.#size += bytes
    } catch (error) {
      await file.truncate(this.#size).catch(() => {})
      throw error
    }
  }

  async #rotate(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
    await this.#rotation!.rotate(this.path)
  }
}

/** A short write leaves the rest for the next call. */
async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  let rest = pieces.filter(piece => piece.length > 0)
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest.slice(0, BATCH_PIECES))
    let whole = 0
    while (whole < rest.length && bytesWritten >= rest[whole]!.length) bytesWritten -= rest[whole++]!.length
    rest = rest.slice(whole)
    if (bytesWritten > 0) rest = [rest[0]!.subarray(bytesWritten), ...rest.slice(1)]
  }
}
