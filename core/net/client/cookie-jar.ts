import type { Cookie } from 'undici'

interface Kept {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** The cookie is for the very host that set it. */
  readonly exact: boolean
  readonly path: string
  readonly secure: boolean
  /** Milliseconds since the epoch; Infinity until the process ends. */
  readonly expires: number
}

/** Cookies that servers have set, in memory. Source: RFC 6265 §5.3 and §5.4. */
export class CookieJar {
  readonly #kept = new Map<string, Kept>()
  readonly #parse: (header: string) => Cookie | null

  /** `parse` reads one `Set-Cookie` header. */
  constructor(parse: (header: string) => Cookie | null) {
    this.#parse = parse
  }

  /** Keeps what the `Set-Cookie` headers of an answer from `url` ask for. `now`: milliseconds since the epoch. */
  store(url: URL, headers: readonly string[], now: number): void {
    for (const header of headers) {
      const cookie = this.#parse(header)
      if (cookie === null || cookie.name === '') continue
      const kept = keep(cookie, url, now)
      if (kept === undefined) continue
      const key = `${kept.domain};${kept.path};${kept.name}`
      if (kept.expires <= now) this.#kept.delete(key)
      else this.#kept.set(key, kept)
    }
  }

  /** The `Cookie` header for a request to `url`, `undefined` when there is nothing to send. */
  header(url: URL, now: number): string | undefined {
    const found: Kept[] = []
    for (const [key, cookie] of this.#kept) {
      if (cookie.expires <= now) this.#kept.delete(key)
      else if (matches(cookie, url)) found.push(cookie)
    }
    if (found.length === 0) return undefined
    found.sort((a, b) => b.path.length - a.path.length)
    return found.map(cookie => `${cookie.name}=${cookie.value}`).join('; ')
  }
}

function keep(cookie: Cookie, url: URL, now: number): Kept | undefined {
  const host = url.hostname
  const domain = (cookie.domain ?? '').replace(/^\./, '').toLowerCase()
  if (domain !== '' && domain !== host && !host.endsWith(`.${domain}`)) return undefined
  const lasting =
    cookie.maxAge !== undefined
      ? now + cookie.maxAge * 1000
      : cookie.expires === undefined
        ? Number.POSITIVE_INFINITY
        : Number(cookie.expires)
  return {
    name: cookie.name,
    value: cookie.value,
    domain: domain || host,
    exact: domain === '' || domain === host,
    path: cookie.path?.startsWith('/') ? cookie.path : defaultPath(url.pathname),
    secure: cookie.secure ?? false,
    expires: lasting,
  }
}

function matches(cookie: Kept, url: URL): boolean {
  const { hostname: host, pathname: path } = url
  if (host !== cookie.domain && (cookie.exact || !host.endsWith(`.${cookie.domain}`))) return false
  if (cookie.secure && url.protocol !== 'https:') return false
  if (!path.startsWith(cookie.path)) return false
  return path.length === cookie.path.length || cookie.path.endsWith('/') || path[cookie.path.length] === '/'
}

/** The directory of the request. */
function defaultPath(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? '/' : path.slice(0, slash)
}
