/** Why a body could not be decompressed. */
export type DecompressionFault = 'malformed' | 'too_large' | 'unsupported'

/** A compressed body that cannot be read. */
export class DecompressionError extends Error {
  override name = 'DecompressionError'
  readonly kind: DecompressionFault

  constructor(kind: DecompressionFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }

  /** More than `limit` bytes after decompression. */
  static tooLarge(limit: number): DecompressionError {
    return new DecompressionError('too_large', `Decompressed body is larger than the limit of ${limit} bytes`)
  }

  /** Not what the encoding promises; `why` completes the sentence. */
  static malformed(encoding: string, why: string, cause?: unknown): DecompressionError {
    return new DecompressionError('malformed', `Body is not valid ${encoding}: ${why}`, cause)
  }
}
