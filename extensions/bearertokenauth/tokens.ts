import { sameDigest, secretDigest } from '#core/net'

/** The tokens that count now. */
export class Tokens {
  /** What a client sends. */
  readonly first: string
  readonly #digests: readonly Buffer[]

  /** At least one token. */
  constructor(tokens: readonly string[]) {
    this.first = tokens[0]!
    this.#digests = tokens.map(token => secretDigest(token))
  }

  /** Place of an equal token, -1 without one. Takes as long whichever token it is, and whether it is one. */
  find(given: string): number {
    const digest = secretDigest(given)
    let found = -1
    for (const [i, each] of this.#digests.entries()) {
      if (sameDigest(each, digest)) found = found < 0 ? i : found
    }
    return found
  }
}

/**
 * Reads a file of tokens, a token a line; blank lines and blanks around tokens do not count.
 * @throws {Error} when it has none
 */
export function parseTokens(text: string): Tokens {
  const tokens = text
    .split('\n')
    .map(line => line.trim())
    .filter(token => token !== '')
  if (tokens.length === 0) throw new Error('it has no token')
  return new Tokens(tokens)
}
