import { type Logger, PartialError, PermanentError } from '#core/component'
import { admit, key, openDraft, type Payload } from '#core/data'
import type { FileConfig } from './config.ts'
import type { Destination } from './destination.ts'
import { makeDirectory } from './directory.ts'
import { type Encode, encoderFor } from './encode.ts'
import { FileWriter } from './file-writer.ts'
import { groupPath } from './group-path.ts'
import { writeError } from './write-error.ts'
import { WriterPool } from './writer-pool.ts'

/**
 * A file for each value of a resource attribute, opened when the first resource with it comes. The least recently used
 * files are closed when there are too many; opened again, they go on where they were.
 */
export class GroupedFiles implements Destination {
  readonly #config: FileConfig
  readonly #logger: Logger
  readonly #encode: Encode
  readonly #writers: WriterPool
  readonly #seen = new Set<string>()

  constructor(config: FileConfig, logger: Logger) {
    this.#config = config
    this.#logger = logger
    this.#encode = encoderFor(config)
    this.#writers = new WriterPool(config.group_by.max_open_files, path => this.#openWriter(path), logger)
  }

  async open(): Promise<void> {}

  /** Rejects with a PartialError when some resources could be written and others not: they cannot be sent again alone. */
  async write(payload: Payload): Promise<void> {
    const { groups, missing } = this.#group(payload)
    const results = await Promise.allSettled([...groups].map(([path, group]) => this.#writeGroup(path, group)))
    const failed = [...groups.values()].filter((_, i) => results[i]!.status === 'rejected')
    const errors = results.filter(result => result.status === 'rejected').map(({ reason }) => reason as Error)
    if (errors.length > 0 && errors.length === groups.size && missing === 0) throw errors[0]
    const lost = failed.reduce((sum, { items }) => sum + items, missing)
    if (errors.length > 0) throw new PartialError(lost, errors[0]!.message, { cause: errors[0] })
    if (missing > 0) throw new PartialError(missing, this.#withoutAttribute)
  }

  close(): Promise<void> {
    return this.#writers.close()
  }

  get #withoutAttribute(): string {
    return `Resource does not contain ${this.#config.group_by.resource_attribute} attribute, dropping it`
  }

  #group(payload: Payload) {
    const attribute = key(this.#config.group_by.resource_attribute)
    const entries = new Map<string, Uint8Array[]>()
    for (const resource of openDraft(payload).resources()) {
      const segment = resource.attributes.get(attribute)
      if (typeof segment !== 'string') {
        this.#logger.debug(this.#withoutAttribute)
        continue
      }
      const path = groupPath(this.#config.path, segment)
      const group = entries.get(path)
      if (group === undefined) entries.set(path, [resource.bytes])
      else group.push(resource.bytes)
    }
    const groups = new Map(
      [...entries].map(([path, bytes]) => [path, admit(payload.signal, Buffer.concat(bytes)).payload]),
    )
    const grouped = [...groups.values()].reduce((sum, { items }) => sum + items, 0)
    return { groups, missing: payload.items - grouped }
  }

  async #writeGroup(path: string, payload: Payload): Promise<void> {
    try {
      const record = await this.#encode(payload)
      await this.#writers.with(path, writer => writer.write(record))
    } catch (error) {
      throw path.includes('\0')
        ? new PermanentError('Cannot write to a file whose name has a null byte')
        : writeError(path, error)
    }
  }

  async #openWriter(path: string): Promise<FileWriter> {
    await makeDirectory(this.#config, path)
    const writer = new FileWriter(path, { append: this.#config.append || this.#seen.has(path) })
    await writer.open()
    this.#seen.add(path)
    return writer
  }
}
