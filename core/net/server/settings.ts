/** Options of servers with the zeroes resolved: what the protocols work with. @module */
import type { GrpcServerConfig } from './grpc-server-options.ts'
import { type HttpServerConfig, SERVER_ENCODINGS } from './http-server-options.ts'

/** Milliseconds and bytes. `Infinity` means never. */
export interface GrpcSettings {
  readonly maxMessage: number
  readonly maxStreams: number
  readonly includeMetadata: boolean
  readonly keepalive: KeepaliveSettings
}

export interface KeepaliveSettings {
  readonly maxIdle: number
  readonly maxAge: number
  readonly maxAgeGrace: number
  /** Silence after which the peer is pinged. */
  readonly time: number
  /** Silence after a ping that ends the connection. */
  readonly timeout: number
  /** Least time between two pings of the peer. */
  readonly minTime: number
  readonly permitWithoutStream: boolean
}

export interface HttpSettings {
  readonly maxBody: number
  readonly encodings: ReadonlySet<string>
  readonly includeMetadata: boolean
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly cors: HttpServerConfig['cors']
  readonly authParameters: readonly string[]
  readonly readTimeout: number
  readonly readHeaderTimeout: number
  readonly writeTimeout: number
  readonly idleTimeout: number
  readonly keepAlive: boolean
}

const MINUTE = 60_000
const MIB = 1 << 20

/** Calls that one connection may have under way. grpc-go's default is no limit; more than this only wait in our memory. */
export const DEFAULT_MAX_STREAMS = 1000

/** grpc-go's defaults. */
export const DEFAULT_KEEPALIVE: KeepaliveSettings = {
  maxIdle: Number.POSITIVE_INFINITY,
  maxAge: Number.POSITIVE_INFINITY,
  maxAgeGrace: Number.POSITIVE_INFINITY,
  time: 120 * MINUTE,
  timeout: 20_000,
  minTime: 5 * MINUTE,
  permitWithoutStream: false,
}

/** The zeroes of the Collector's gRPC options mean grpc-go's defaults. */
export function grpcSettings(config: GrpcServerConfig): GrpcSettings {
  const own = config.keepalive?.server_parameters
  const peer = config.keepalive?.enforcement_policy
  return {
    maxMessage: (config.max_recv_msg_size_mib || 4) * MIB,
    maxStreams: config.max_concurrent_streams || DEFAULT_MAX_STREAMS,
    includeMetadata: config.include_metadata,
    keepalive: {
      maxIdle: own?.max_connection_idle || DEFAULT_KEEPALIVE.maxIdle,
      maxAge: own?.max_connection_age || DEFAULT_KEEPALIVE.maxAge,
      maxAgeGrace: own?.max_connection_age_grace || DEFAULT_KEEPALIVE.maxAgeGrace,
      time: own?.time || DEFAULT_KEEPALIVE.time,
      timeout: own?.timeout || DEFAULT_KEEPALIVE.timeout,
      minTime: peer?.min_time || DEFAULT_KEEPALIVE.minTime,
      permitWithoutStream: peer?.permit_without_stream ?? false,
    },
  }
}

/** Where the Collector's zero means no limit at all, ours is one that only a hostile or broken sender meets. */
export function httpSettings(config: HttpServerConfig): HttpSettings {
  return {
    maxBody: config.max_request_body_size || 20 * MIB,
    encodings: new Set(config.compression_algorithms),
    includeMetadata: config.include_metadata,
    responseHeaders: config.response_headers,
    cors: config.cors,
    authParameters: config.auth?.request_params ?? [],
    readTimeout: config.read_timeout || MINUTE,
    readHeaderTimeout: config.read_header_timeout || MINUTE,
    writeTimeout: config.write_timeout || MINUTE / 2,
    idleTimeout: config.idle_timeout || 2 * MINUTE,
    keepAlive: config.keep_alives_enabled,
  }
}

/** gRPC on a port that was configured for HTTP. */
export function grpcSettingsBeside(http: HttpSettings): GrpcSettings {
  return {
    maxMessage: http.maxBody,
    maxStreams: DEFAULT_MAX_STREAMS,
    includeMetadata: http.includeMetadata,
    keepalive: DEFAULT_KEEPALIVE,
  }
}

/** HTTP on a port that was configured for gRPC. */
export function httpSettingsBeside(grpc: GrpcSettings): HttpSettings {
  return {
    maxBody: grpc.maxMessage,
    encodings: new Set(SERVER_ENCODINGS),
    includeMetadata: grpc.includeMetadata,
    responseHeaders: {},
    cors: undefined,
    authParameters: [],
    readTimeout: MINUTE,
    readHeaderTimeout: MINUTE,
    writeTimeout: MINUTE / 2,
    idleTimeout: 2 * MINUTE,
    keepAlive: true,
  }
}
