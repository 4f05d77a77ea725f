import { type Payload, toJson } from '#core/data'
import { compress } from '#core/net'
import type { FileConfig } from './config.ts'

/** Turns a payload into one record of the file. */
export type Encode = (payload: Payload) => Buffer[] | Promise<Buffer[]>

const NEWLINE = Buffer.from('\n')

/** The record format that the configuration asks for: a line of JSON, or a length and the (compressed) message. */
export function encoderFor(config: FileConfig): Encode {
  const message = config.format === 'json' ? jsonPieces : (payload: Payload) => payload.pieces()
  if (config.compression === 'zstd') {
    const level = config.compression_params.level || 3
    return async payload => withLength([await compress(message(payload), 'zstd', level)])
  }
  if (config.format === 'proto') return payload => withLength(message(payload))
  return payload => [...message(payload), NEWLINE]
}

function jsonPieces(payload: Payload): Buffer[] {
  return [Buffer.from(toJson(payload))]
}

/** The length as an unsigned 32-bit integer, big endian, then the message. */
function withLength(pieces: readonly Buffer[]): Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(pieces.reduce((sum, piece) => sum + piece.length, 0))
  return [length, ...pieces]
}
