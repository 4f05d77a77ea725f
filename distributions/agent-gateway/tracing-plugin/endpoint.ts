const SIGNAL_PATH = /\/v1\/(traces|metrics|logs)\/?$/

/**
 * Where a signal goes, by the gateway's rule: a URL of the signal's own is taken as it is; otherwise the base gets
 * `/v1/<signal>`, and where the base ends in the path of one signal already, that part is replaced.
 *
 * @throws {Error} where the result is no `http:` or `https:` URL
 */
export function endpointOf(signal: 'traces' | 'metrics', base: string | undefined, own: string | undefined): string {
  const written = own ?? base
  if (written === undefined) throw new Error('diagnostics.otel.endpoint is not set')
  const url = new URL(written)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`the endpoint must be an http or https URL, got ${url.protocol}//`)
  }
  if (own === undefined) url.pathname = `${url.pathname.replace(SIGNAL_PATH, '').replace(/\/+$/, '')}/v1/${signal}`
  return url.href
}
