import { crc32 } from 'node:zlib'
import type { ConsumeContext, Metadata } from '#core/component'
import { Chunk, Payload, type Signal } from '#core/data'

/**
 * How a request lies in storage. The key tells order and size without the value being read:
 * `q/<sequence, 16 digits>/<items>/<bytes>`. The value is a version byte, a CRC-32 of all that follows, the length of the
 * head, the head as JSON (metadata, peer, trace context; never who the sender authenticated as) and the OTLP bytes.
 * @module
 */

/** What keys of requests begin with. */
export const QUEUE_PREFIX = 'q/'

const KEY = /^q\/(\d{16})\/(\d+)\/(\d+)$/
const VERSION = 1
/** Version, checksum, length of the head. */
const FIXED = 9

export interface StoredKey {
  readonly sequence: number
  readonly items: number
  readonly bytes: number
}

export function storedKey(sequence: number, payload: Payload): string {
  return `${QUEUE_PREFIX}${String(sequence).padStart(16, '0')}/${payload.items}/${payload.bytes}`
}

/** `undefined` for a key of another form. */
export function parseStoredKey(key: string): StoredKey | undefined {
  const match = KEY.exec(key)
  return match === null ? undefined : { sequence: Number(match[1]), items: Number(match[2]), bytes: Number(match[3]) }
}

/** A stored request that cannot be read back. */
export class DamagedEntry extends Error {
  override name = 'DamagedEntry'
}

interface Head {
  readonly metadata: readonly (readonly [string, readonly string[]])[]
  readonly clientAddress?: string
  readonly traceparent?: string
}

export function encodeEntry(payload: Payload, context: ConsumeContext): Buffer {
  const head = Buffer.from(JSON.stringify(headOf(context)))
  const value = Buffer.allocUnsafeSlow(FIXED + head.length + payload.bytes)
  value[0] = VERSION
  value.writeUInt32LE(head.length, 5)
  let at = FIXED + head.copy(value, FIXED)
  for (const chunk of payload.chunks) for (const piece of chunk.pieces) at += piece.copy(value, at)
  value.writeUInt32LE(crc32(value.subarray(5)), 1)
  return value
}

/** @throws {DamagedEntry} saying what is wrong with it */
export function decodeEntry(
  signal: Signal,
  key: StoredKey,
  value: Buffer,
): { readonly payload: Payload; readonly context: ConsumeContext } {
  if (value.length < FIXED) throw new DamagedEntry(`it has ${value.length} bytes, its fixed part alone has ${FIXED}`)
  if (value[0] !== VERSION) throw new DamagedEntry(`its format is ${value[0]}, known is ${VERSION}`)
  const stored = value.readUInt32LE(1)
  const actual = crc32(value.subarray(5))
  if (stored !== actual) throw new DamagedEntry(`its checksum is ${hex(actual)}, stored was ${hex(stored)}`)
  const start = FIXED + value.readUInt32LE(5)
  if (value.length - start !== key.bytes) {
    throw new DamagedEntry(`it holds ${value.length - start} bytes of telemetry, its key says ${key.bytes}`)
  }
  const { metadata, ...rest } = JSON.parse(value.toString('utf8', FIXED, start)) as Head
  return {
    payload: new Payload(signal, [new Chunk([value.subarray(start)], key.items)]),
    context: { ...rest, metadata: new Map(metadata) },
  }
}

function headOf({ metadata, clientAddress, traceparent }: ConsumeContext): Head {
  return {
    metadata: withoutCredentials(metadata),
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}

/** Names of headers that carry secrets: authorization, cookie, tokens, keys, passwords. */
const CREDENTIAL = /(^|[-_])(authorization|cookie|token|secret|password|credentials?|api[-_]?key)$/i

/** Whether a header of this name is kept out of storage. */
export function isCredential(name: string): boolean {
  return CREDENTIAL.test(name)
}

function withoutCredentials(metadata: Metadata): [string, readonly string[]][] {
  return [...metadata].filter(([name]) => !isCredential(name))
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}
