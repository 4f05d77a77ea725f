/**
 * `google.rpc.Status` with `google.rpc.RetryInfo`, in protobuf and JSON, and what gRPC and HTTP headers say beside it.
 * @module
 */
import { Code } from '#core/component'
import { forEachField, ProtoWriter } from './proto-fields.ts'
import type { WireStatus } from './status.ts'

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

/** `google.rpc.Status` in protobuf: `code` 1, `message` 2, `details` 3. */
export function encodeStatus(status: WireStatus): Buffer {
  const writer = new ProtoWriter()
  if (status.code !== 0) writer.varint(1, status.code)
  if (status.message !== '') writer.bytes(2, Buffer.from(status.message))
  if (status.retryAfter !== undefined) {
    const delay = new ProtoWriter()
    const seconds = Math.floor(status.retryAfter / 1000)
    const nanos = Math.round((status.retryAfter - seconds * 1000) * 1e6)
    if (seconds !== 0) delay.varint(1, seconds)
    if (nanos !== 0) delay.varint(2, nanos)
    const info = new ProtoWriter().bytes(1, delay.finish()).finish()
    writer.bytes(3, new ProtoWriter().bytes(1, Buffer.from(RETRY_INFO)).bytes(2, info).finish())
  }
  return writer.finish()
}

/** `google.rpc.Status` in the JSON form of protobuf. */
export function statusJson(status: WireStatus): string {
  const details =
    status.retryAfter === undefined
      ? undefined
      : [{ '@type': RETRY_INFO, retryDelay: `${Number((status.retryAfter / 1000).toFixed(9))}s` }]
  return JSON.stringify({
    ...(status.code === 0 ? {} : { code: status.code }),
    ...(status.message === '' ? {} : { message: status.message }),
    ...(details === undefined ? {} : { details }),
  })
}

/** Reads what {@link encodeStatus} writes. Unknown fields and details are skipped; `undefined` when the bytes are no Status. */
export function decodeStatus(bytes: Buffer): WireStatus | undefined {
  let code: Code = Code.OK
  let message = ''
  let retryAfter: number | undefined
  const sound = forEachField(bytes, (field, value) => {
    if (field === 1 && typeof value === 'number') code = value as Code
    else if (field === 2 && typeof value === 'object') message = value.toString()
    else if (field === 3 && typeof value === 'object') retryAfter = retryInfo(value) ?? retryAfter
  })
  if (!sound) return undefined
  return retryAfter === undefined ? { code, message } : { code, message, retryAfter }
}

/** Reads a Status in JSON; `undefined` when the text is none. */
export function decodeStatusJson(text: string): WireStatus | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { code, message, details } = value as Record<string, unknown>
  if (code === undefined && message === undefined) return undefined
  const status = { code: (Number(code ?? 0) || 0) as Code, message: typeof message === 'string' ? message : '' }
  for (const detail of Array.isArray(details) ? details : []) {
    const seconds = detail?.['@type'] === RETRY_INFO ? Number.parseFloat(String(detail.retryDelay)) : Number.NaN
    if (seconds >= 0) return { ...status, retryAfter: Math.round(seconds * 1e9) / 1e6 }
  }
  return status
}

function retryInfo(any: Buffer): number | undefined {
  let type = ''
  let body: Buffer | undefined
  forEachField(any, (field, value) => {
    if (typeof value !== 'object') return
    if (field === 1) type = value.toString()
    else if (field === 2) body = value
  })
  if (body === undefined || !type.endsWith('/google.rpc.RetryInfo')) return undefined
  let delay: number | undefined
  forEachField(body, (field, value) => {
    if (field !== 1 || typeof value !== 'object') return
    delay = 0
    forEachField(value, (part, number) => {
      if (typeof number === 'number') delay! += part === 1 ? number * 1000 : number / 1e6
    })
  })
  return delay === undefined || delay < 0 ? undefined : delay
}

/** Codes bytes outside 0x20 to 0x7e, and `%`, for the header `grpc-message`. */
export function encodeGrpcMessage(message: string): string {
  if (!NEEDS_CODING.test(message)) return message
  let coded = ''
  for (const byte of Buffer.from(message)) {
    coded +=
      byte < 0x20 || byte > 0x7e || byte === 0x25
        ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte)
  }
  return coded
}

/** Reads a `grpc-message` leniently: what is not a valid escape stands for itself. */
export function decodeGrpcMessage(coded: string): string {
  if (!coded.includes('%')) return coded
  const bytes: number[] = []
  const text = Buffer.from(coded)
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === 0x25 ? text.toString('latin1', at + 1, at + 3) : ''
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16))
      at += 2
    } else bytes.push(text[at]!)
  }
  return Buffer.from(bytes).toString()
}

/** `grpc-status-details-bin`: base64 without padding. */
export function encodeStatusDetails(status: WireStatus): string {
  return encodeStatus(status).toString('base64').replace(/=+$/, '')
}

/** Milliseconds until the time that a `Retry-After` header names in seconds or as a date; `undefined` when it says neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** A `Retry-After` header in whole seconds, truncated as the Collector does. */
export function printRetryAfter(milliseconds: number): string {
  return String(Math.trunc(milliseconds / 1000))
}

const NEEDS_CODING = /[^\x20-\x7e]|%/
