export { type PartialSuccess, partialSuccess, partialSuccessJson } from './export-response.ts'
export {
  createGrpcClient,
  type GrpcCallOptions,
  type GrpcClient,
  type GrpcClientDeps,
} from './grpc-client.ts'
export { checkGrpcClient, type GrpcClientConfig, grpcClientFields } from './grpc-client-options.ts'
export { endpointFault, type GrpcTarget, grpcTarget } from './grpc-target.ts'
export { createHttpClient, type HttpClient, type HttpClientDeps, type HttpRequestOptions } from './http-client.ts'
export { checkHttpClient, type HttpClientConfig, httpClientFields } from './http-client-options.ts'
export type { HttpReply } from './http-exchange.ts'
export { type ProxyEnvironment, proxyFor } from './proxy.ts'
export type { Sender } from './sender.ts'
export { userAgent } from './user-agent.ts'
