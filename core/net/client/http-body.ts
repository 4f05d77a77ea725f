/** Bodies up to this size are sent as one buffer. */
const JOIN = 64 << 10
/** The client writes each piece of a larger body by itself, so they must not be small. */
const SMALL = 16 << 10

/** A body as few large pieces: one buffer when it is small. The pieces are not copied when they are large. */
export function httpPieces(pieces: readonly Buffer[]): Buffer | Buffer[] {
  if (pieces.length === 1) return pieces[0]!
  if (sizeOf(pieces) <= JOIN) return Buffer.concat(pieces)
  const large: Buffer[] = []
  let small: Buffer[] = []
  let size = 0
  for (const piece of pieces) {
    if (piece.length >= SMALL && size === 0) {
      large.push(piece)
      continue
    }
    small.push(piece)
    size += piece.length
    if (size < SMALL) continue
    large.push(Buffer.concat(small))
    small = []
    size = 0
  }
  if (size > 0) large.push(Buffer.concat(small))
  return large
}

export function sizeOf(pieces: readonly Buffer[]): number {
  let size = 0
  for (const piece of pieces) size += piece.length
  return size
}
