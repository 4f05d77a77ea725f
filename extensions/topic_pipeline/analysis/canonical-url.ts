/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(?:utm_\w+|source|ref|ref_src|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|spm|_hsenc|_hsmi)$/i

/**
 * One spelling for all addresses of a page: host in lower case without `www.`, parameters in order and without those
 * that follow readers around, no fragment, no slash at the end, `https`. What is no URL stays as it is.
 */
export function canonicalUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return url
  const kept = [...parsed.searchParams].filter(([name]) => !TRACKING.test(name))
  const query = new URLSearchParams(kept)
  query.sort()
  const path = parsed.pathname.replace(/\/+$/, '')
  const search = kept.length === 0 ? '' : `?${query}`
  return `https://${parsed.host.replace(/^www\./, '')}${path}${search}`
}
