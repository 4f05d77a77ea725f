import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { FetchError } from './fetcher.ts'

/** What we say we can decode. */
export const ACCEPT_ENCODING = 'gzip, br, deflate, zstd'
/** Codings on top of each other that are still decoded. */
const MAX_CODINGS = 3
/** Largest window of Zstandard as a content coding: 8 MiB. Source: RFC 9659 §3. */
const ZSTD_WINDOW_LOG = 23

type Chunks = AsyncIterable<Uint8Array>

/**
 * Reads a body to its end and decodes it as it comes, so that no more than `maxBytes` are ever held of what a few bytes
 * would unpack to. Compressed bytes count, too: an endless stream of nothing unpacks to nothing.
 * @throws {FetchError} when it is larger, cannot be decoded, or ends too early
 */
export async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<Uint8Array> {
  try {
    let chunks: Chunks = limited(body, maxBytes)
    for (const coding of codingsOf(encoding).toReversed()) chunks = decoded(chunks, decoderOf(coding), coding)
    const pieces: Uint8Array[] = []
    for await (const chunk of limited(chunks, maxBytes)) pieces.push(chunk)
    return Buffer.concat(pieces)
  } finally {
    body.on('error', () => {}).destroy()
  }
}

/** In the order in which they were applied. */
function codingsOf(encoding = ''): string[] {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '' && each !== 'identity')
  if (codings.length <= MAX_CODINGS) return codings
  throw new FetchError('network', `The answer is encoded ${codings.length} times, at most ${MAX_CODINGS} are decoded`)
}

/** Makes the decoder, knowing the first byte. */
function decoderOf(coding: string): (first: number) => Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return () => createGunzip()
    case 'br':
      return () => createBrotliDecompress()
    case 'zstd':
      return () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
    case 'deflate':
      // It means zlib's format, and some servers send it without zlib's head. Source: RFC 9110 §8.4.1.2.
      return first => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())
    default:
      throw new FetchError(
        'network',
        `The answer has a content encoding that cannot be decoded: ${coding.slice(0, 20)}`,
      )
  }
}

async function* limited(chunks: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new FetchError('limit', `The answer is larger than ${maxBytes} bytes`, { limit: 'size' })
    yield chunk
  }
}

/** No bytes are nothing in any coding, as in an answer without a body that names one all the same. */
async function* decoded(
  chunks: Chunks,
  create: (first: number) => Transform,
  coding: string,
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done === true) return
  const decoder = create(first.value[0] ?? 0)
  let broken: unknown
  const feeding = pipeline(startingWith(first.value, source), decoder).catch(error => {
    broken = error
  })
  try {
    yield* decoder as Chunks
  } catch (error) {
    await feeding
    const reason = broken ?? error
    if (!isDecoderError(reason)) throw reason
    throw new FetchError('network', `The answer is not valid ${coding}, or ends too early`)
  } finally {
    decoder.destroy()
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** zlib's, Brotli's and Zstandard's ways to say that the bytes are wrong. */
function isDecoderError(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(Z_|ZSTD_|ERR__ERROR|ERR_BROTLI)/.test(code)
}
