/** Sentences for codes of Node, undici and OpenSSL; what is not listed is told by its code alone. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_HEADERS_OVERFLOW: 'the head of its answer is too large',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not known',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not known',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** What went wrong on the way, by code and without addresses: Node's own sentences name the one that was tried. */
export function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'HTTPParserError') return 'its answer is not HTTP'
  const code = codeOf(error)
  if (code === undefined) return 'the exchange failed'
  return SENTENCES[code] ?? code
}

/** Whether it was the time limit of connecting or of the answer's head. */
export function isTimeout(error: unknown): boolean {
  return ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
