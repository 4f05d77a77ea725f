export { type Admission, isAdmission, type Release, resolveAdmissions } from './admission.ts'
export { ByteBudget } from './byte-budget.ts'
export { createOriginMatcher } from './cors.ts'
export { checkGrpcServer, type GrpcServerConfig, grpcServerFields } from './grpc-server-options.ts'
export { checkHttpServer, type HttpServerConfig, httpServerFields } from './http-server-options.ts'
export {
  formatAddress,
  InvalidEndpoint,
  type ListenAddress,
  type ListenTransport,
  parseListenAddress,
} from './listen-address.ts'
export { middlewaresOption, networkAddressFields } from './network-address-options.ts'
export { openServer, type Server, type ServerSpec } from './server.ts'
export type {
  GrpcService,
  HttpAnswer,
  HttpRequest,
  HttpService,
  RawHttpService,
  RawRequest,
  RawResponse,
  UnaryHandler,
} from './service.ts'
export {
  type GrpcSettings,
  grpcSettings,
  grpcSettingsBeside,
  type HttpSettings,
  httpSettings,
  httpSettingsBeside,
} from './settings.ts'
