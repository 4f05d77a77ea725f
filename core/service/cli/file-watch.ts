import { createHash } from 'node:crypto'
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock, Timer } from '#core/component'

/** Milliseconds of quiet before files are looked at: editors write in several steps. */
const QUIET = 50
/** Milliseconds after which a file is looked at although it keeps changing. */
const LONGEST = 500
/** Milliseconds between two looks without a hint: some file systems tell nothing. */
const PATROL = 2_000

/**
 * Watches the contents of files, also of those that editors replace, that are swapped by a symbolic link, or that do not
 * exist yet.
 */
export class FileWatch implements Disposable {
  readonly #files: () => Iterable<string>
  readonly #changed: () => Promise<unknown>
  readonly #clock: Clock
  readonly #watchers = new Map<string, FSWatcher>()
  #known = new Map<string, string>()
  #timer: Timer | undefined
  /** When the first change came that has not been looked at. */
  #hinted: number | undefined
  /** Whether a file was gone at the last look. */
  #missed = false
  /** Whether a change is being taken in; what happens meanwhile is seen afterwards. */
  #busy = false
  #closed = false

  /**
   * @param files absolute paths; asked for anew after every change
   * @param changed called once some content differs, and not again before it has settled
   */
  constructor(files: () => Iterable<string>, changed: () => Promise<unknown>, clock: Clock) {
    this.#files = files
    this.#changed = changed
    this.#clock = clock
    this.#learn()
    this.#wait(PATROL)
  }

  [Symbol.dispose](): void {
    this.#closed = true
    this.#timer?.cancel()
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #wait(ms: number): void {
    this.#timer?.cancel()
    if (!this.#closed && !this.#busy) this.#timer = this.#clock.after(ms, () => void this.#look())
  }

  /**
   * Something in a folder has changed. Other files there are no reason to look: the collector itself may write them
   * without end. Names that begin with two dots are how Kubernetes swaps all files of a volume at once.
   */
  #hint(folder: string, name: string | null): void {
    if (name !== null && !name.startsWith('..') && !this.#known.has(join(folder, name))) return
    const now = this.#clock.monotonic()
    this.#hinted ??= now
    this.#wait(Math.max(0, Math.min(QUIET, this.#hinted + LONGEST - now)))
  }

  async #look(): Promise<void> {
    this.#hinted = undefined
    this.#learn()
    const seen = contents(this.#known.keys())
    const gone = [...this.#known].some(([path, content]) => content !== GONE && seen.get(path) === GONE)
    if (gone && !this.#missed) {
      // Between the removal of the old file and the arrival of the new one.
      this.#missed = true
      return this.#wait(QUIET * 4)
    }
    this.#missed = false
    if ([...seen].some(([path, content]) => content !== this.#known.get(path))) {
      this.#known = seen
      this.#busy = true
      await this.#changed().catch(() => {})
      this.#busy = false
      this.#learn()
    }
    this.#wait(PATROL)
  }

  /** Takes in which files there are now. What is known of a file stays, so that a change meanwhile is seen. */
  #learn(): void {
    const files = [...new Set(this.#files())]
    const fresh = contents(files.filter(path => !this.#known.has(path)))
    this.#known = new Map(files.map(path => [path, this.#known.get(path) ?? fresh.get(path)!]))
    const folders = new Set(files.map(path => dirname(path)))
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

  /** Folders, not files: what replaces a file is another file. */
  #watch(folder: string): void {
    if (this.#closed) return
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#hint(folder, name))
      watcher.on('error', () => {
        watcher.close()
        this.#watchers.delete(folder)
      })
      this.#watchers.set(folder, watcher)
    } catch {
      // The patrol sees it.
    }
  }
}

const GONE = ''

function contents(files: Iterable<string>): Map<string, string> {
  return new Map([...files].map(path => [path, contentOf(path)]))
}

/** A digest, or `GONE`. What a pipe or a device holds cannot be asked for twice. */
function contentOf(path: string): string {
  try {
    if (!statSync(path).isFile()) return GONE
    return createHash('sha256').update(readFileSync(path)).digest('base64')
  } catch {
    return GONE
  }
}
