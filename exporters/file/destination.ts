import type { Clock, Logger } from '#core/component'
import type { Payload } from '#core/data'
import type { FileConfig } from './config.ts'
import { makeDirectory } from './directory.ts'
import { type Encode, encoderFor } from './encode.ts'
import { FileWriter } from './file-writer.ts'
import { Rotation } from './rotation.ts'
import { writeError } from './write-error.ts'

/** Where payloads go. */
export interface Destination {
  open(): Promise<void>
  /** Resolves once the payload is in the file; rejects with a Refusal. */
  write(payload: Payload): Promise<void>
  close(): Promise<void>
}

/** All payloads, of whatever signal, in one file. */
export class SingleFile implements Destination {
  readonly #config: FileConfig
  readonly #encode: Encode
  readonly #writer: FileWriter

  constructor(config: FileConfig, clock: Clock, logger: Logger) {
    const { path, append } = config
    const rotation = config.rotation && new Rotation(config.rotation, clock, logger)
    this.#config = config
    this.#encode = encoderFor(config)
    this.#writer = new FileWriter(path, { append, rotation })
  }

  async open(): Promise<void> {
    if (this.#config.create_directory) await makeDirectory(this.#config)
    await this.#writer.open()
  }

  async write(payload: Payload): Promise<void> {
    try {
      await this.#writer.write(await this.#encode(payload))
    } catch (error) {
      throw writeError(this.#writer.path, error)
    }
  }

  close(): Promise<void> {
    return this.#writer.close()
  }
}
