/** Parameters that tell where a reader came from, and nothing of what is read. */
const TRACKING =
  /^(utm_.*|source|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_[ce]id|_hsenc|_hsmi|ref_src|ref_url|spm|share|trk)$/i

/**
 * One spelling for all addresses of a piece: https, host in lower case and without final dot, no default port, no
 * fragment, no tracking parameters, the others in order of their names, no final slash. What is no URL stays as it is.
 */
export function canonicalUrl(text: string): string {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return text.trim()
  if (url.protocol === 'http:' && url.port === '') url.protocol = 'https:'
  url.hash = ''
  url.username = ''
  url.password = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  for (const name of new Set(url.searchParams.keys())) if (TRACKING.test(name)) url.searchParams.delete(name)
  url.searchParams.sort()
  url.pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, unescaped).replace(/(?<!^)\/+$/, '')
  const href = url.href
  return url.pathname === '/' && url.search === '' ? href.replace(/\/$/, '') : href
}

/** Source: RFC 3986 §6.2.2: what need not be escaped is not, and the rest has capital digits. */
function unescaped(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : triplet.toUpperCase()
}
