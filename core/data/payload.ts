import type { Signal } from './signal.ts'

/**
 * A run of whole top-level entries of an OTLP request (`resource_spans`, `resource_metrics`, `resource_logs`) together
 * with any unknown top-level fields between them. Bytes never change after construction.
 */
export class Chunk {
  /** The bytes in order. Long untouched runs of an edited payload are views of the original. */
  readonly pieces: readonly Buffer[]
  /** Spans, data points or log records within. */
  readonly items: number
  /** Sum of the lengths of the pieces. */
  readonly bytes: number
  #flat: Buffer | undefined

  constructor(pieces: readonly Buffer[], items: number) {
    this.pieces = pieces
    this.items = items
    let bytes = 0
    for (const piece of pieces) bytes += piece.length
    this.bytes = bytes
    if (pieces.length === 1) this.#flat = pieces[0]
  }

  /** All bytes in one buffer. The pieces are joined at the first call and the result is remembered. */
  flat(): Buffer {
    this.#flat ??= join(this.pieces, this.bytes)
    return this.#flat
  }
}

/**
 * Telemetry of one signal as OTLP protobuf bytes that have passed the door (see `admit`). Immutable, so branches of a
 * fan-out share it. Two payloads of a signal are merged by putting their chunks one after the other.
 */
export class Payload<S extends Signal = Signal> {
  readonly signal: S
  readonly chunks: readonly Chunk[]
  /** Spans, data points, log records. */
  readonly items: number
  /** Size of the protobuf encoding. */
  readonly bytes: number

  constructor(signal: S, chunks: readonly Chunk[]) {
    this.signal = signal
    this.chunks = chunks
    let items = 0
    let bytes = 0
    for (const chunk of chunks) {
      items += chunk.items
      bytes += chunk.bytes
    }
    this.items = items
    this.bytes = bytes
  }

  /** The bytes in order, for writers that take several buffers (`writev`). */
  pieces(): Buffer[] {
    const pieces: Buffer[] = []
    for (const chunk of this.chunks) for (const piece of chunk.pieces) pieces.push(piece)
    return pieces
  }

  /** All bytes in one buffer: for compression and storage. Copies when there is more than one chunk. */
  flat(): Buffer {
    return this.chunks.length === 1 ? this.chunks[0]!.flat() : join(this.pieces(), this.bytes)
  }
}

/** `allocUnsafeSlow` keeps a small result from pinning a shared pool slab for as long as it waits in a queue. */
function join(pieces: readonly Buffer[], bytes: number): Buffer {
  const joined = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const piece of pieces) at += piece.copy(joined, at)
  return joined
}
