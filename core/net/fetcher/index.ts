export { networkFault } from './address-guard.ts'
export { createFetcher } from './create-fetcher.ts'
export {
  type FetchAnswer,
  FetchError,
  type Fetcher,
  type FetcherOptions,
  type FetchGuard,
  type FetchRequest,
  type Resolver,
} from './fetcher.ts'
