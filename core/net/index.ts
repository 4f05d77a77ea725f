export {
  type AuthRequest,
  authSection,
  type ClientAuthenticator,
  type HeaderChanges,
  type Headers,
  httpAuthSection,
  isClientAuthenticator,
  isServerAuthenticator,
  resolveClientAuthenticator,
  resolveServerAuthenticator,
  type ServerAuthenticator,
} from './auth.ts'
export * from './client/index.ts'
export { compress, decompress, ENCODINGS, type Encoding } from './compression.ts'
export { DecompressionError, type DecompressionFault } from './decompression-error.ts'
export * from './fetcher/index.ts'
export { sameDigest, secretDigest } from './same-secret.ts'
export * from './server/index.ts'
export {
  codeName,
  codeOfHttp,
  errorOf,
  grpcCodeOfHttp,
  httpStatusOf,
  isRetryableHttp,
  statusOf,
  type WireStatus,
} from './status.ts'
export {
  decodeGrpcMessage,
  decodeStatus,
  decodeStatusJson,
  encodeGrpcMessage,
  encodeStatus,
  encodeStatusDetails,
  parseRetryAfter,
  printRetryAfter,
  statusJson,
} from './status-codec.ts'
export { type ClientTls, loadClientTls, loadServerTls, type ServerTls, type TlsDeps } from './tls.ts'
export {
  type ClientTlsConfig,
  checkClientTls,
  checkServerTls,
  clientTls,
  type ServerTlsConfig,
  serverTls,
} from './tls-options.ts'
export { type WatchDeps, type Watched, watchFile } from './watched-file.ts'
