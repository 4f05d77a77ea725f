import { join } from './body.ts'

/** Flag byte and length before every gRPC message. */
export const PREFIX = 5

/**
 * Puts one length-prefixed gRPC message together from the pieces in which it arrives, however they are cut.
 * Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
export class GrpcMessage {
  /** Length of the message without its prefix, known once the prefix has arrived. */
  length: number | undefined
  /** Whether the prefix says that the message is compressed. */
  compressed = false
  readonly #chunks: Buffer[] = []
  #received = 0

  /** Takes the next piece. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#received += chunk.length
    if (this.length !== undefined || this.#received < PREFIX) return
    const head = chunk.length >= PREFIX && this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    if (head !== chunk) this.#chunks.splice(0, this.#chunks.length, head)
    this.compressed = (head[0]! & 1) === 1
    this.length = head.readUInt32BE(1)
  }

  /** Whether anything has arrived. */
  get started(): boolean {
    return this.#received > 0
  }

  /** Below 0: bytes still to come. 0: whole. Above: bytes that belong to another message. */
  get excess(): number {
    return this.#received - PREFIX - (this.length ?? 0)
  }

  /** The message, once it is whole. */
  take(): Buffer {
    const chunks = this.#chunks
    chunks[0] = chunks[0]!.subarray(PREFIX)
    return join(chunks, this.length!)
  }
}
