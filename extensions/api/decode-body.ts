import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyRequest, RequestPayload } from 'fastify'
import { RouteError } from '#core/component'
import { DecompressionError, decompress, type HttpSettings } from '#core/net'

/** The body without its `Content-Encoding`, which must be one of those the server understands. */
export async function decodeBody(
  request: FastifyRequest,
  body: RequestPayload,
  settings: HttpSettings,
): Promise<RequestPayload> {
  const encoding = request.headers['content-encoding'] ?? ''
  if (encoding === '' || encoding === 'identity') return body
  if (!settings.encodings.has(encoding)) {
    throw new RouteError(415, 'UNSUPPORTED_ENCODING', `Content-Encoding ${encoding} is not supported`)
  }
  if (Number(request.headers['content-length'] ?? 0) > settings.maxBody) throw tooLarge()
  const encoded = await buffer(limited(body, settings.maxBody))
  const decoded = await inflate(encoded, encoding, settings.maxBody)
  return Object.assign(Readable.from([decoded]), { receivedEncodedLength: encoded.length })
}

async function inflate(encoded: Buffer, encoding: string, limit: number): Promise<Buffer> {
  try {
    return await decompress(encoded, encoding, limit)
  } catch (error) {
    if (error instanceof DecompressionError && error.kind === 'too_large') throw tooLarge()
    throw new RouteError(400, 'INVALID_ENCODING', `Request body is not ${encoding}`, { cause: error })
  }
}

async function* limited(body: RequestPayload, limit: number): AsyncIterable<Buffer> {
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    yield chunk
  }
}

function tooLarge(): RouteError {
  return new RouteError(413, 'BODY_TOO_LARGE', 'Request body is too large')
}
