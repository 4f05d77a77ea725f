import type { Logger } from '#core/component'
import type { FileWriter } from './file-writer.ts'

interface Entry {
  readonly writer: Promise<FileWriter>
  uses: number
  evicted: boolean
  /** Resolves once an evicted writer is closed. */
  readonly closed: PromiseWithResolvers<void>
}

/** Keeps the writers that were used last open, and closes the others once nobody writes to them any more. */
export class WriterPool {
  readonly #most: number
  readonly #open: (path: string) => Promise<FileWriter>
  readonly #logger: Logger
  /** In the order in which they were last used. */
  readonly #entries = new Map<string, Entry>()
  readonly #closing = new Map<string, Promise<void>>()

  constructor(most: number, open: (path: string) => Promise<FileWriter>, logger: Logger) {
    this.#most = most
    this.#open = open
    this.#logger = logger
  }

  /** Hands the writer of a path to `use`; it stays open until `use` has settled. */
  async with<T>(path: string, use: (writer: FileWriter) => Promise<T>): Promise<T> {
    const entry = this.#take(path)
    entry.uses++
    try {
      return await use(await entry.writer)
    } finally {
      entry.uses--
      if (entry.evicted && entry.uses === 0) void this.#close(path, entry)
    }
  }

  /** Closes all writers after what they are writing. */
  async close(): Promise<void> {
    for (const [path, entry] of this.#entries) this.#evict(path, entry)
    await Promise.all(this.#closing.values())
  }

  #take(path: string): Entry {
    const entry = this.#entries.get(path) ?? this.#create(path)
    this.#entries.delete(path)
    this.#entries.set(path, entry)
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= this.#most) break
      this.#evict(oldest, old)
    }
    return entry
  }

  /** A file that is still being closed is opened again after that. */
  #create(path: string): Entry {
    const before = this.#closing.get(path) ?? Promise.resolve()
    const writer = before.then(() => this.#open(path))
    writer.catch(() => {
      if (this.#entries.get(path)?.writer === writer) this.#entries.delete(path)
    })
    return { writer, uses: 0, evicted: false, closed: Promise.withResolvers() }
  }

  #evict(path: string, entry: Entry): void {
    this.#entries.delete(path)
    entry.evicted = true
    const closed = entry.closed.promise
    this.#closing.set(path, closed)
    void closed.then(() => {
      if (this.#closing.get(path) === closed) this.#closing.delete(path)
    })
    if (entry.uses === 0) void this.#close(path, entry)
  }

  async #close(path: string, { writer, closed }: Entry): Promise<void> {
    try {
      await (await writer).close()
    } catch (error) {
      this.#logger.warn('Failed to close file', { error, path })
    }
    closed.resolve()
  }
}
