import { deserialize, serialize } from 'node:v8'

const HEAD = 4

/** A value as bytes: its length in four bytes, then its structured clone. */
export function frameOf(value: unknown): Buffer {
  const body = serialize(value)
  const frame = Buffer.allocUnsafe(HEAD + body.length)
  frame.writeUInt32LE(body.length)
  body.copy(frame, HEAD)
  return frame
}

/** Puts values together from the bytes as they come. */
export class FrameReader {
  #pieces: Buffer[] = []
  #size = 0

  /** Values that are complete with this piece. */
  push(piece: Buffer): unknown[] {
    this.#pieces.push(piece)
    this.#size += piece.length
    const values: unknown[] = []
    while (this.#size >= HEAD) {
      const head = this.#pieces[0]!.length >= HEAD ? this.#pieces[0]! : this.#join()
      const end = HEAD + head.readUInt32LE()
      if (this.#size < end) break
      const all = this.#join()
      values.push(deserialize(all.subarray(HEAD, end)))
      this.#pieces = all.length === end ? [] : [all.subarray(end)]
      this.#size = all.length - end
    }
    return values
  }

  #join(): Buffer {
    const joined = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    this.#pieces = [joined]
    return joined
  }
}
