import { readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Clock, Logger } from '#core/component'
import type { RotationConfig } from './config.ts'

const MEGABYTE = 1 << 20
const DAY = 24 * 60 * 60 * 1000

/** Puts full files aside under a name with the time in it, and deletes those that are too many or too old. */
export class Rotation {
  /** Bytes that a file may hold. */
  readonly limit: number
  readonly #config: RotationConfig
  readonly #clock: Clock
  readonly #logger: Logger

  constructor(config: RotationConfig, clock: Clock, logger: Logger) {
    this.limit = (config.max_megabytes || 100) * MEGABYTE
    this.#config = config
    this.#clock = clock
    this.#logger = logger
  }

  /** Renames `data.json` to `data-2026-01-31T05-02-14.173.json`; the milliseconds go up until the name is free. */
  async rotate(path: string): Promise<void> {
    const taken = new Set(await readdir(dirname(path)))
    let time = this.#clock.now()
    while (taken.has(backupName(path, time, this.#config.localtime))) time++
    await rename(path, join(dirname(path), backupName(path, time, this.#config.localtime)))
    await this.#clean(path).catch(error => {
      this.#logger.warn('Cannot delete old files', { path, error })
    })
  }

  async #clean(path: string): Promise<void> {
    const { max_backups: most, max_days: days, localtime } = this.#config
    const oldest = days > 0 ? this.#clock.now() - days * DAY : Number.NEGATIVE_INFINITY
    const backups = (await readdir(dirname(path)))
      .map(name => ({ name, time: backupTime(path, name, localtime) }))
      .filter(({ time }) => time !== undefined)
      .sort((a, b) => b.time! - a.time!)
    const doomed = backups.filter(({ time }, i) => time! < oldest || (most > 0 && i >= most))
    for (const { name } of doomed) await unlink(join(dirname(path), name))
  }
}

/** The name of a rotated file, without its directory. */
export function backupName(path: string, time: number, localtime: boolean): string {
  const extension = extname(path)
  return `${basename(path, extension)}-${stamp(time, localtime)}${extension}`
}

/** When a file in the directory of `path` was rotated, in milliseconds; `undefined` when it is not a rotated file. */
export function backupTime(path: string, name: string, localtime: boolean): number | undefined {
  const extension = extname(path)
  const prefix = `${basename(path, extension)}-`
  if (!name.startsWith(prefix) || !name.endsWith(extension)) return undefined
  const match = STAMP.exec(name.slice(prefix.length, name.length - extension.length))
  if (match === null) return undefined
  return Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}${localtime ? '' : 'Z'}`)
}

const STAMP = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/

/** `2026-01-31T05-02-14.173`: no colons, which some file systems refuse. */
function stamp(time: number, localtime: boolean): string {
  const shift = localtime ? new Date(time).getTimezoneOffset() * 60_000 : 0
  return new Date(time - shift).toISOString().slice(0, 23).replaceAll(':', '-')
}
