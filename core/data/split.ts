import { Chunk, Payload } from './payload.ts'
import { addRun, gather, type Run } from './run.ts'
import type { Signal } from './signal.ts'
import { after, LENGTH, putVarint, skip, varint, varintSize } from './wire.ts'

export interface SplitLimits {
  /** Most items in one payload; 0 or absent for no limit. */
  readonly items?: number
  /** Most bytes of protobuf in one payload; 0 or absent for no limit. A single item above it goes out alone. */
  readonly bytes?: number
}

/**
 * The payload as several in order, each within the limits and as full as the order allows. Only lengths are read.
 * What encloses an item (resource, scope, and for data points the metric with its temporality) is repeated in each
 * payload that has some of its items, unknown fields included. A payload within the limits is returned as it is, and so
 * are profiles, whose samples cannot leave the dictionary they refer to.
 */
export function split<S extends Signal>(payload: Payload<S>, limits: SplitLimits): Payload<S>[] {
  const items = limits.items || Number.POSITIVE_INFINITY
  const bytes = limits.bytes || Number.POSITIVE_INFINITY
  const path = PATHS[payload.signal]
  if (path === undefined || (payload.items <= items && payload.bytes <= bytes)) return [payload]
  const splitter = new Splitter(path, items, bytes)
  for (const chunk of payload.chunks) splitter.add(chunk)
  return splitter.finish().map(chunks => new Payload(payload.signal, chunks))
}

/** For each level of messages from the request to its items a table with a 1 at each tag that leads on. */
const PATHS: Partial<Record<Signal, readonly Uint8Array[]>> = {
  traces: [tagTable(10), tagTable(18), tagTable(18)],
  logs: [tagTable(10), tagTable(18), tagTable(18)],
  metrics: [tagTable(10), tagTable(18), tagTable(18), tagTable(42, 58, 74, 82, 90), tagTable(10)],
}

function tagTable(...tags: number[]): Uint8Array {
  const table = new Uint8Array(128)
  for (const tag of tags) table[tag] = 1
  return table
}

/** Registers: tag, or 0 for one above 127, and position of the body of the field read last. */
let fieldTag = 0
let fieldBody = 0

/** Reads the field at `p` and returns the position behind it. */
function readField(b: Buffer, p: number, end: number): number {
  let tag = b[p++]!
  if (tag > 127) {
    tag = varint(b, p - 1)
    p = after
  }
  fieldTag = tag < 128 ? tag : 0
  if ((tag & 7) !== LENGTH) return skip(b, p, end, tag & 7)
  let size = b[p++]!
  if (size > 127) {
    size = varint(b, p - 1)
    p = after
  }
  fieldBody = p
  return p + size
}

/** A message that is being split, and what of it has gone into the current part. */
interface Level {
  /** The whole field in the source. */
  from: number
  to: number
  tag: number
  /** All fields that do not lead to items. */
  header: Run[]
  headerSize: number
  /** Whether the current part has something of this message. */
  open: boolean
  /** Whether that is everything so far, so that in the end the field may be taken as it is. */
  whole: boolean
  content: Run[]
  contentSize: number
}

class Splitter {
  readonly #path: readonly Uint8Array[]
  readonly #maxItems: number
  readonly #maxBytes: number
  /** One a level; the first stands for the request itself. */
  readonly #levels: Level[]
  readonly #parts: Chunk[][] = []
  #source: Buffer = Buffer.alloc(0)
  /** Finished chunks of the current part, and their sums. */
  #chunks: Chunk[] = []
  #chunkItems = 0
  #chunkBytes = 0
  /** Items in the chunk under construction. */
  #items = 0

  constructor(path: readonly Uint8Array[], maxItems: number, maxBytes: number) {
    this.#path = path
    this.#maxItems = maxItems
    this.#maxBytes = maxBytes
    this.#levels = path.map(() => ({
      from: 0,
      to: 0,
      tag: 0,
      header: [],
      headerSize: 0,
      open: false,
      whole: false,
      content: [],
      contentSize: 0,
    }))
  }

  add(chunk: Chunk): void {
    if (this.#chunkItems + chunk.items <= this.#maxItems && this.#chunkBytes + chunk.bytes <= this.#maxBytes) {
      this.#push(chunk)
    } else {
      this.#source = chunk.flat()
      this.#visit(0, 0, 0, 0, this.#source.length)
      this.#endChunk()
    }
  }

  finish(): Chunk[][] {
    this.#endPart()
    return this.#parts
  }

  /** Takes in the message in `[body, to)`, whose field begins at `from`. */
  #visit(depth: number, tag: number, from: number, body: number, to: number): void {
    const b = this.#source
    const level = this.#levels[depth]!
    const tags = this.#path[depth]!
    const header: Run[] = []
    let hasChildren = depth === 0
    if (depth > 0) {
      for (let p = body, next = 0; p < to; p = next) {
        next = readField(b, p, to)
        if (tags[fieldTag] === 1) hasChildren = true
        else addRun(header, b, p, next)
      }
    }
    if (!hasChildren) {
      this.#take(depth - 1, from, to, 0)
      return
    }
    level.from = from
    level.to = to
    level.tag = tag
    level.header = header
    level.headerSize = sizeOf(header)
    level.open = false
    level.whole = true
    const last = depth === this.#path.length - 1
    for (let p = body, next = 0; p < to; p = next) {
      next = readField(b, p, to)
      if (tags[fieldTag] !== 1) {
        if (depth === 0) this.#take(0, p, next, 0)
      } else if (last) this.#take(depth, p, next, 1)
      else this.#visit(depth + 1, fieldTag, p, fieldBody, next)
    }
    if (depth > 0) this.#close(depth, level.whole)
  }

  /** Puts the field `[from, to)` of the message at `depth` into the current part, or into a new one when that is full. */
  #take(depth: number, from: number, to: number, items: number): void {
    const held = this.#chunkItems + this.#items
    if (held + items > this.#maxItems || this.#sizeWith(depth, to - from) > this.#maxBytes) {
      if (this.#chunks.length > 0 || this.#levels[0]!.contentSize > 0 || this.#levels.some(level => level.open)) {
        for (let d = depth; d > 0; d--) if (this.#levels[d]!.open) this.#close(d, false)
        for (let d = 1; d <= depth; d++) this.#levels[d]!.whole = false
        this.#endPart()
      }
    }
    for (let d = 1; d <= depth; d++) {
      const level = this.#levels[d]!
      if (level.open) continue
      level.open = true
      level.content = []
      level.contentSize = 0
    }
    const level = this.#levels[depth]!
    addRun(level.content, this.#source, from, to)
    level.contentSize += to - from
    this.#items += items
  }

  /** Bytes of the current part if the message at `depth` took in another `size` bytes. */
  #sizeWith(depth: number, size: number): number {
    if (this.#maxBytes === Number.POSITIVE_INFINITY) return 0
    for (let d = depth; d > 0; d--) {
      const level = this.#levels[d]!
      size += level.headerSize + (level.open ? level.contentSize : 0)
      size += varintSize(level.tag) + varintSize(size)
    }
    return this.#chunkBytes + this.#levels[0]!.contentSize + size
  }

  /** Hands what the current part has of the message at `depth` to the level above. */
  #close(depth: number, whole: boolean): void {
    const level = this.#levels[depth]!
    const parent = this.#levels[depth - 1]!
    const body = level.headerSize + level.contentSize
    const size = varintSize(level.tag) + varintSize(body) + body
    level.open = false
    if (whole && level.to - level.from <= size) {
      addRun(parent.content, this.#source, level.from, level.to)
      parent.contentSize += level.to - level.from
      return
    }
    const start = Buffer.allocUnsafe(10)
    const end = putVarint(start, putVarint(start, 0, level.tag), body)
    parent.content.push({ source: start, from: 0, to: end })
    // Joined once, so that however many parts repeat the header, they refer to the same bytes.
    if (level.header.length > 1) level.header = [joined(level.header, level.headerSize)]
    for (const { source, from, to } of level.header) parent.content.push({ source, from, to })
    for (const { source, from, to } of level.content) addRun(parent.content, source, from, to)
    parent.contentSize += size
  }

  /** Makes a chunk of what has come together from the current source. */
  #endChunk(): void {
    const request = this.#levels[0]!
    if (request.contentSize > 0) this.#push(new Chunk(gather(request.content), this.#items))
    request.content = []
    request.contentSize = 0
    this.#items = 0
  }

  #push(chunk: Chunk): void {
    this.#chunks.push(chunk)
    this.#chunkItems += chunk.items
    this.#chunkBytes += chunk.bytes
  }

  #endPart(): void {
    this.#endChunk()
    if (this.#chunks.length > 0) this.#parts.push(this.#chunks)
    this.#chunks = []
    this.#chunkItems = 0
    this.#chunkBytes = 0
  }
}

function sizeOf(runs: readonly Run[]): number {
  let size = 0
  for (const { from, to } of runs) size += to - from
  return size
}

function joined(runs: readonly Run[], size: number): Run {
  const source = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const { source: b, from, to } of runs) at += b.copy(source, at, from, to)
  return { source, from: 0, to: size }
}
