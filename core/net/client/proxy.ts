import { isIP } from 'node:net'

/** The process environment, as far as proxies are concerned. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for requests to `target`: the configured one, else what `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say (or
 * their lower case forms). Loopback addresses are reached directly, as in Go.
 * @throws {Error} when the environment names something that is no proxy
 */
export function proxyFor(target: URL, configured: string, environment: ProxyEnvironment): URL | undefined {
  if (configured !== '') return new URL(configured)
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = environment[name] || environment[name.toLowerCase()] || ''
  if (value === '' || isDirect(target, environment.NO_PROXY || environment.no_proxy || '')) return undefined
  const proxy = URL.parse(value.includes('://') ? value : `http://${value}`)
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) {
    throw new Error(`${name} must be the http or https URL of a proxy`)
  }
  return proxy
}

/** Source: https://pkg.go.dev/golang.org/x/net/http/httpproxy#Config */
function isDirect(target: URL, exceptions: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return true
  return exceptions.split(',').some(entry => {
    let pattern = entry.trim().toLowerCase()
    if (pattern === '') return false
    if (pattern === '*') return true
    if (pattern.includes('/')) return inNetwork(host, pattern)
    const withPort = /^(.*):(\d+)$/.exec(pattern)
    if (withPort !== null && isIP(pattern) === 0) {
      if (withPort[2] !== port) return false
      pattern = withPort[1]!.replace(/^\[|\]$/g, '')
    }
    if (host === pattern) return true
    if (isIP(host) > 0) return false
    // A leading dot or star means subdomains only, a bare name itself and its subdomains.
    return host.endsWith(
      pattern.startsWith('*.') ? pattern.slice(1) : pattern.startsWith('.') ? pattern : `.${pattern}`,
    )
  })
}

function inNetwork(host: string, network: string): boolean {
  const [base, bits] = network.split('/') as [string, string]
  if (isIP(host) !== 4 || isIP(base) !== 4) return false
  const mask = Number(bits) === 0 ? 0 : -1 << (32 - Number(bits))
  return (ipv4(host) & mask) === (ipv4(base) & mask)
}

function ipv4(address: string): number {
  return address.split('.').reduce((value, part) => (value << 8) | Number(part), 0)
}
