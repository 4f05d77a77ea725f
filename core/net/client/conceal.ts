/** Values shorter than this are found in any text. */
const SHORTEST = 8
/** Headers that say nothing secret. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...['accept', 'content-encoding', 'content-length', 'content-type', 'host', 'te', 'user-agent', 'traceparent'],
  ...['grpc-accept-encoding', 'grpc-encoding', 'grpc-timeout', 'tracestate'],
])

/**
 * Overwrites with asterisks what a server's refusal quotes of our own headers: some servers tell which token they did
 * not like, and what they tell gets into logs. Lengths stay, so what was a protobuf message stays one.
 * @param refusal changed in place
 * @param headers names in lower case
 */
export function conceal(refusal: Buffer, headers: Iterable<readonly [name: string, value: string]>): void {
  for (const [name, value] of headers) {
    if (name.startsWith(':') || PUBLIC.has(name)) continue
    // `Bearer token` and `token`: the scheme alone is no secret.
    for (const secret of [value, value.slice(value.indexOf(' ') + 1)]) {
      if (secret.length >= SHORTEST) overwrite(refusal, Buffer.from(secret))
    }
  }
}

/** As {@link conceal}, for a text. */
export function concealed(refusal: string, headers: Iterable<readonly [name: string, value: string]>): string {
  const bytes = Buffer.from(refusal)
  conceal(bytes, headers)
  return bytes.toString()
}

/** Names and values of a raw header list. */
export function* pairsOf(raw: readonly string[]): Iterable<readonly [string, string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i]!, raw[i + 1]!]
}

function overwrite(text: Buffer, secret: Buffer): void {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    text.fill('*', at, at + secret.length)
  }
}
