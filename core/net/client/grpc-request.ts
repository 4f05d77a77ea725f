import type { HeaderChanges, Headers } from '../auth.ts'
import type { GrpcClientConfig } from './grpc-client-options.ts'

/** Pieces smaller than this are joined before they are written. */
const SMALL = 4096
const PREFIX = 5

/** The request headers of a client's calls, put together once for each path. */
export class GrpcHeaders {
  readonly #byPath = new Map<string, readonly string[]>()
  readonly #scheme: string
  readonly #authority: string
  readonly #rest: readonly string[]
  /** The configured metadata; names in lower case. */
  readonly configured: Headers

  constructor(config: GrpcClientConfig, scheme: string, authority: string, userAgent: string) {
    this.#scheme = scheme
    this.#authority = authority
    const encoding =
      config.compression === '' || config.compression === 'none' ? [] : ['grpc-encoding', config.compression]
    const metadata = Object.entries(config.headers).flatMap(([name, value]) => entry(name, value))
    this.configured = Object.fromEntries(
      Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    this.#rest = [
      ...[
        'content-type',
        'application/grpc',
        'te',
        'trailers',
        ...encoding,
        'grpc-accept-encoding',
        'identity,gzip,zstd',
      ],
      ...['user-agent', config.user_agent || userAgent, ...metadata],
    ]
  }

  /**
   * A raw header list for one call.
   * @param left milliseconds until the deadline, or Infinity
   * @param changes metadata that replaces what is configured under the same name, or takes it away
   */
  for(path: string, left: number, changes: HeaderChanges | undefined): readonly string[] {
    let fixed = this.#byPath.get(path)
    if (fixed === undefined) {
      const pseudo = [':method', 'POST', ':scheme', this.#scheme, ':authority', this.#authority, ':path', path]
      fixed = [...pseudo, ...this.#rest]
      this.#byPath.set(path, fixed)
    }
    const timed = left === Number.POSITIVE_INFINITY ? fixed : [...fixed, 'grpc-timeout', printGrpcTimeout(left)]
    if (changes === undefined) return timed
    const set = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : entry(name, value)))
    return [...without(timed, Object.keys(changes)), ...set]
  }
}

/** A `grpc-timeout` of at most eight digits, never rounded down to nothing. */
export function printGrpcTimeout(milliseconds: number): string {
  const whole = Math.max(1, Math.ceil(milliseconds))
  if (whole < 1e8) return `${whole}m`
  const seconds = Math.ceil(whole / 1000)
  return seconds < 1e8 ? `${seconds}S` : `${Math.min(99_999_999, Math.ceil(seconds / 3600))}H`
}

/** The length-prefixed message in pieces fit for writing: small ones are joined, large ones stay as they are. */
export function gather(pieces: readonly Buffer[], compressed: boolean): Buffer[] {
  let length = 0
  for (const piece of pieces) length += piece.length
  const prefix = Buffer.allocUnsafe(PREFIX)
  prefix[0] = compressed ? 1 : 0
  prefix.writeUInt32BE(length, 1)
  const gathered: Buffer[] = []
  let small: Buffer[] = [prefix]
  for (const piece of pieces) {
    if (piece.length < SMALL) {
      small.push(piece)
      continue
    }
    if (small.length > 0) gathered.push(small.length === 1 ? small[0]! : Buffer.concat(small))
    small = []
    gathered.push(piece)
  }
  if (small.length > 0) gathered.push(small.length === 1 ? small[0]! : Buffer.concat(small))
  return gathered
}

/** Metadata as it travels: lower case, `-bin` in base64. Names that belong to the protocol are left out. */
function entry(name: string, value: string): string[] {
  const key = name.toLowerCase()
  if (isReserved(key)) return []
  return [key, key.endsWith('-bin') ? Buffer.from(value).toString('base64').replace(/=+$/, '') : value]
}

function isReserved(name: string): boolean {
  return name.startsWith(':') || name.startsWith('grpc-') || RESERVED.has(name)
}

const RESERVED: ReadonlySet<string> = new Set(
  'content-type te user-agent host connection keep-alive proxy-connection transfer-encoding upgrade http2-settings'.split(
    ' ',
  ),
)

function without(headers: readonly string[], changed: readonly string[]): string[] {
  const names = new Set(changed.map(name => name.toLowerCase()).filter(name => !isReserved(name)))
  return headers.filter((_, i) => !names.has(headers[i - (i % 2)]!))
}
