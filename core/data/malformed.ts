/** Bytes or text that are not the OTLP message they should be. What a sender is told is permanent: sending again cannot help. */
export class Malformed extends Error {
  /** What is wrong, as a phrase: `length goes beyond the enclosing message`. */
  readonly reason: string
  /** Byte position at which it was noticed. */
  readonly offset: number

  constructor(reason: string, offset: number) {
    super(`Malformed OTLP message: ${reason} (at byte ${offset})`)
    this.name = 'Malformed'
    this.reason = reason
    this.offset = offset
  }
}
