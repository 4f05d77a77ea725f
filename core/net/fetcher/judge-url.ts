import { FetchError } from './fetcher.ts'

const LONGEST = 8192

/**
 * Reads a URL that is to be asked, as a browser would: numbers in any base and full-width digits become the address that
 * they mean.
 * @throws {FetchError} when it is none, is not HTTP, or carries a user and a password
 */
export function judgeUrl(text: string, base?: URL): URL {
  const url = text.length > LONGEST ? null : URL.parse(text, base?.href)
  if (url === null) throw new FetchError('refused', 'The address is not a valid URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('refused', `Only http and https are asked, not ${url.protocol.slice(0, 20)}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchError('refused', 'The address carries a user or a password')
  }
  url.hash = ''
  return url
}
