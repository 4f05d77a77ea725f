import { createReadStream } from 'node:fs'
import { MAX_YAML_LENGTH } from './yaml-parse.ts'

/** No character takes more bytes than this. */
const MAX_BYTES = MAX_YAML_LENGTH * 4

/**
 * Reads UTF-8 text from a stream that may have no end.
 * @throws {Error} when there is more than a configuration can be
 */
export async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`the document is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads a file, a pipe or a device. */
export function readTextFile(path: string): Promise<string> {
  return readText(createReadStream(path))
}
