import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ComponentId, Context, Kind } from '#core/component'
import type { StorageExtension, Store } from '#core/storage'
import type { FileStorageConfig } from './config.ts'
import { fileName } from './file-name.ts'
import { checkLmdbFile } from './lmdb-header.ts'
import { LmdbStore } from './lmdb-store.ts'

/** Milliseconds between two looks at a file that another process has open. */
const LOOK_AGAIN = 50
/** What the temporary files of compactions begin with. */
const TEMPORARY = 'tempdb'

/** Keeps the data of each component in an LMDB file of its own. */
export class FileStorage implements StorageExtension {
  readonly #config: FileStorageConfig
  readonly #context: Context
  /** Files that are open or being opened. */
  readonly #taken = new Set<string>()
  readonly #stores = new Set<LmdbStore>()

  constructor(config: FileStorageConfig, context: Context) {
    this.#config = config
    this.#context = context
  }

  /** @throws {Error} when the directory is not there and may not be made */
  async start(): Promise<void> {
    const { directory, compaction } = this.#config
    await this.#prepare(directory)
    if (compaction.directory !== '' && (compaction.on_start || compaction.cleanup_on_start)) {
      await this.#prepare(compaction.directory)
    }
    if (compaction.cleanup_on_start) await this.#cleanUp(this.#temporaryDirectory)
  }

  async shutdown(): Promise<void> {
    await Promise.all([...this.#stores].map(store => store.close()))
  }

  async openStore(kind: Kind, id: ComponentId, name: string): Promise<Store> {
    const path = join(this.#config.directory, fileName(kind, id, name))
    try {
      await this.#waitFor('it is open already', () => !this.#taken.has(path))
      this.#taken.add(path)
      return await this.#open(path).catch(error => {
        this.#taken.delete(path)
        throw error
      })
    } catch (cause) {
      throw new Error(`Cannot open ${path}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  }

  async #open(path: string): Promise<Store> {
    await checkLmdbFile(path)
    if (this.#config.compaction.on_start) await this.#compact(path)
    const store = await this.#openAlone(path, () => {
      this.#stores.delete(store)
      this.#taken.delete(path)
    })
    this.#stores.add(store)
    return store
  }

  get #temporaryDirectory(): string {
    return this.#config.compaction.directory || this.#config.directory
  }

  /** Opens a file that no other process has open. */
  async #openAlone(path: string, onClose: () => void): Promise<LmdbStore> {
    let store: LmdbStore | undefined
    let others: number[] = []
    await this.#waitFor(
      () => `process ${others.join(', ')} has it open`,
      async () => {
        const opened = await LmdbStore.open({
          path,
          fsync: this.#config.fsync,
          onClose: () => opened === store && onClose(),
        })
        others = opened.otherProcesses()
        if (others.length === 0) store = opened
        else await opened.close()
        return others.length === 0
      },
    )
    return store!
  }

  /** Looks again and again until `done`, at most for `timeout`. */
  async #waitFor(reason: string | (() => string), done: () => boolean | Promise<boolean>): Promise<void> {
    const { clock } = this.#context
    const { timeout } = this.#config
    const begun = clock.monotonic()
    while (!(await done())) {
      if (timeout > 0 && clock.monotonic() - begun >= timeout) {
        throw new Error(`${typeof reason === 'string' ? reason : reason()}, waited ${timeout} ms`)
      }
      await clock.sleep(LOOK_AGAIN)
    }
  }

  /** Replaces the file by a copy without unused pages. When that fails, the file stays as it is. */
  async #compact(path: string): Promise<void> {
    const before = await sizeOf(path)
    if (before === undefined) return
    const copy = join(this.#temporaryDirectory, `${TEMPORARY}-${process.pid}-${this.#context.clock.now()}`)
    const store = await this.#openAlone(path, () => {})
    try {
      await store.copyTo(copy)
      await store.close()
      await rename(copy, path)
      await rm(`${path}-lock`, { force: true })
      this.#context.logger.debug('Compaction finished', { file: path, before, after: await sizeOf(path) })
    } catch (error) {
      await store.close()
      await rm(copy, { force: true })
      this.#context.logger.error('compaction on start failed', { error, file: path })
    }
  }

  async #prepare(directory: string): Promise<void> {
    const { create_directory, directory_permissions } = this.#config
    if (create_directory) await mkdir(directory, { recursive: true, mode: Number.parseInt(directory_permissions, 8) })
    const info = await stat(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT')
        throw new Error(`problem accessing configured directory: ${directory}, err: ${error.message}`)
      const hint = 'You can enable the create_directory option to automatically create it'
      throw new Error(`directory must exist: ${directory}. ${hint}`)
    })
    if (!info.isDirectory()) throw new Error(`${directory} is not a directory`)
  }

  async #cleanUp(directory: string): Promise<void> {
    for (const name of await readdir(directory)) {
      if (!name.startsWith(TEMPORARY)) continue
      await rm(join(directory, name), { force: true })
      this.#context.logger.debug('cleanup', { deletedFile: join(directory, name) })
    }
  }
}

/** Bytes, `undefined` when there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  const info = await stat(path).catch(() => undefined)
  return info?.size
}
