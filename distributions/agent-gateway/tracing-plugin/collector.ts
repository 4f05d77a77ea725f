/** What became of a request to the collector. */
export type Outcome =
  | { readonly status: 'accepted' }
  /** It may be accepted later, not before `after` milliseconds where the collector says so. */
  | { readonly status: 'later'; readonly reason: string; readonly after?: number | undefined }
  /** It never will be. */
  | { readonly status: 'refused'; readonly reason: string }

/** Sends a body of OTLP/HTTP protobuf. It never throws. */
export type Post = (url: string, body: Uint8Array, signal: AbortSignal) => Promise<Outcome>

/** HTTP statuses after which the same request is worth sending again (OTLP specification, "Retryable response codes"). */
const RETRYABLE = [429, 502, 503, 504]

/** A way to post with these headers; redirects are not followed, so that credentials go nowhere else. */
export function poster(headers: Readonly<Record<string, string>>): Post {
  const sent = new Headers(headers)
  sent.set('content-type', 'application/x-protobuf')
  return async (url, body, signal) => {
    try {
      const response = await fetch(url, {
        ...{ method: 'POST', headers: sent, redirect: 'manual', signal },
        body: body as Uint8Array<ArrayBuffer>,
      })
      await response.arrayBuffer()
      if (response.ok) return { status: 'accepted' }
      const reason = `the collector answered ${response.status || 'with a redirect'}`
      if (!RETRYABLE.includes(response.status)) return { status: 'refused', reason }
      return { status: 'later', reason, after: secondsOf(response.headers.get('retry-after')) }
    } catch (error) {
      return { status: 'later', reason: reasonOf(error) }
    }
  }
}

function secondsOf(header: string | null): number | undefined {
  const seconds = header === null ? Number.NaN : Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 300) * 1000 : undefined
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'the collector did not answer in time'
  const { cause } = error
  const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { code?: unknown }
  return typeof code === 'string' ? code : error.message
}
