import { open } from 'node:fs/promises'

/** Of the first page of an LMDB data file: where its magic number, format version and page size stand. */
const MAGIC = { at: 24, value: 0xbeefc0de }
const VERSION = { at: 28, value: 2 }
const PAGE_SIZE_AT = 48
const HEADER = 64

/**
 * Checks that LMDB can open a file: it ends the process when the beginning of a file is not its own.
 * @throws {Error} saying what is wrong. A file that does not exist or is empty is fine: it becomes one
 */
export async function checkLmdbFile(path: string): Promise<void> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    if (size === 0) return
    const header = Buffer.alloc(HEADER)
    await file.read(header, 0, HEADER, 0)
    if (header.readUInt32LE(MAGIC.at) !== MAGIC.value || header.readUInt32LE(VERSION.at) !== VERSION.value) {
      throw new Error('it is not an LMDB file of version 2')
    }
    const least = 2 * header.readUInt32LE(PAGE_SIZE_AT)
    if (size < least) throw new Error(`it ends after ${size} bytes, its two head pages alone have ${least}`)
  } finally {
    await file.close()
  }
}
