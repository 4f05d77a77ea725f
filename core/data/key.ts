import type { Key } from './records.ts'
import { viewOf } from './wire.ts'

const KEPT = 4096
const known = new Map<string, AttributeKey>()

/** An attribute name as bytes and words, so that it can be compared with what is on the wire without making a string. */
class AttributeKey implements Key {
  readonly name: string
  readonly bytes: Buffer
  readonly view: DataView
  /** Length of `bytes`. */
  readonly size: number
  /** The last four bytes as a word, 0 for shorter names. */
  readonly tail: number

  constructor(name: string) {
    this.name = name
    // Not from the pool, of which a small slice would keep 64 KiB.
    this.size = Buffer.byteLength(name)
    this.bytes = Buffer.allocUnsafeSlow(this.size)
    this.bytes.write(name)
    this.view = viewOf(this.bytes)
    this.tail = this.size < 4 ? 0 : this.view.getInt32(this.size - 4)
  }
}

export type { AttributeKey }

let first = new AttributeKey('')
let second = first

/**
 * Prepares an attribute name for comparison with bytes. Names given as plain strings are prepared on the way, and
 * remembered; a `Key` kept outside of the loop saves looking it up.
 */
export function key(name: string): Key {
  return keyOf(name)
}

/** The prepared form of a name or of any `Key`. */
export function keyOf(name: string | Key): AttributeKey {
  if (typeof name !== 'string') return name instanceof AttributeKey ? name : keyOf(name.name)
  if (first.name === name) return first
  if (second.name === name) {
    const found = second
    second = first
    first = found
    return found
  }
  return lookUp(name)
}

function lookUp(name: string): AttributeKey {
  let found = known.get(name)
  if (found === undefined) {
    // Not every name can be kept: hostile senders invent them.
    if (known.size >= KEPT) known.clear()
    found = new AttributeKey(name.toWellFormed())
    known.set(name, found)
  }
  second = first
  first = found
  return found
}
