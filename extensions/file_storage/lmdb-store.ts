import type { RootDatabase } from 'lmdb'
import { type Change, type Entry, keyBytes, rangeBytes, type ScanRange, type Store, StoreClosed } from '#core/storage'

export interface LmdbStoreOptions {
  /** The data file; the lock file stands beside it with `-lock` after its name. */
  readonly path: string
  /** Whether `flushed` waits for the disk. Without, what was committed outlives the process, not the machine. */
  readonly fsync: boolean
  /** Called once the file is closed. */
  readonly onClose?: () => void
}

/** Entries and keys read at a time by a scan. No cursor stays open between two pages. */
const PAGE = { entries: 64, keys: 1000 }

/** A store in one LMDB file. Writes of one turn of the event loop share a transaction. */
export class LmdbStore implements Store {
  readonly #database: RootDatabase<Buffer, Buffer>
  readonly #fsync: boolean
  readonly #onClose: () => void
  #closing: Promise<void> | undefined

  /**
   * Opens the file, making it when it does not exist. The library is loaded at the first file, so that a collector
   * without storage starts without it.
   * @throws {Error} when it is no LMDB file or cannot be read and written
   */
  static async open(options: LmdbStoreOptions): Promise<LmdbStore> {
    const { open } = await import('lmdb')
    const { path } = options
    return new LmdbStore(open({ path, noSubdir: true, encoding: 'binary', keyEncoding: 'binary' }), options)
  }

  private constructor(database: RootDatabase<Buffer, Buffer>, { fsync, onClose = () => {} }: LmdbStoreOptions) {
    this.#database = database
    this.#fsync = fsync
    this.#onClose = onClose
    // Takes a place in the table of readers, which tells other processes that the file is in use.
    this.#database.get(Buffer.from([0]))
  }

  /** The processes other than this one that have the file open. Those that have died are forgotten first. */
  otherProcesses(): number[] {
    this.#database.readerCheck()
    const lines = this.#database.readerList().split('\n').slice(1)
    const pids = lines.map(line => Number.parseInt(line, 10)).filter(pid => pid > 0 && pid !== process.pid)
    return [...new Set(pids)]
  }

  async get(key: string): Promise<Buffer | undefined> {
    this.#check()
    return this.#database.get(keyBytes(key))
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    this.#check()
    await this.#database.put(keyBytes(key), bufferOf(value))
  }

  async delete(key: string): Promise<void> {
    this.#check()
    await this.#database.remove(keyBytes(key))
  }

  async batch(changes: readonly Change[]): Promise<void> {
    this.#check()
    const keys = changes.map(change => keyBytes(change.key))
    if (changes.length === 0) return
    await this.#database.batch(() => {
      changes.forEach((change, i) => {
        if (change.type === 'delete') this.#database.remove(keys[i]!)
        else this.#database.put(keys[i]!, bufferOf(change.value))
      })
    })
  }

  scan(range: ScanRange = {}): AsyncIterable<Entry> {
    return this.#pages<Entry>(range, PAGE.entries, options =>
      Array.from(this.#database.getRange(options), ({ key, value }) => [key, [key.toString(), value]] as const),
    )
  }

  keys(range: ScanRange = {}): AsyncIterable<string> {
    return this.#pages<string>(range, PAGE.keys, options =>
      Array.from(this.#database.getKeys(options), key => [key, key.toString()] as const),
    )
  }

  async flushed(): Promise<void> {
    this.#check()
    if (this.#fsync) await this.#database.flushed
    else await this.#database.committed
  }

  close(): Promise<void> {
    this.#closing ??= this.#database.close().then(this.#onClose)
    return this.#closing
  }

  /** Copies what is in use to a new file at `path`. */
  async copyTo(path: string): Promise<void> {
    await this.#database.backup(path, true)
  }

  async *#pages<T>(
    range: ScanRange,
    size: number,
    read: (options: PageOptions) => readonly (readonly [Buffer, T])[],
  ): AsyncIterable<T> {
    this.#check()
    const { start, end } = rangeBytes(range)
    if (start !== undefined && end !== undefined && Buffer.compare(start, end) >= 0) return
    let left = range.limit ?? Number.POSITIVE_INFINITY
    let last: Buffer | undefined
    while (left > 0) {
      this.#check()
      const limit = Math.min(size, left)
      const page = read({ ...bounds(start, end, range.reverse ?? false, last), limit })
      for (const [, item] of page) yield item
      if (page.length < limit) return
      left -= page.length
      last = page.at(-1)![0]
    }
  }

  #check(): void {
    if (this.#closing !== undefined) throw new StoreClosed()
  }
}

interface PageOptions {
  readonly start?: Buffer
  readonly end?: Buffer
  readonly exclusiveStart?: boolean
  readonly inclusiveEnd?: boolean
  readonly reverse?: boolean
  readonly limit: number
}

/** The bounds of the page after key `last`: LMDB's start is where reading begins, so the upper bound when backwards. */
function bounds(
  start: Buffer | undefined,
  end: Buffer | undefined,
  reverse: boolean,
  last: Buffer | undefined,
): Omit<PageOptions, 'limit'> {
  const from = last ?? (reverse ? end : start)
  const to = reverse ? start : end
  return {
    reverse,
    exclusiveStart: last !== undefined || reverse,
    inclusiveEnd: reverse,
    ...(from === undefined ? {} : { start: from }),
    ...(to === undefined ? {} : { end: to }),
  }
}

function bufferOf(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
