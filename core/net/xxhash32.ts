/** xxHash, 32 bits, seed 0, unsigned. Source: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md */
export function xxhash32(bytes: Buffer): number {
  let at = 0
  let hash = P5
  if (bytes.length >= 16) {
    let a = (P1 + P2) | 0
    let b = P2 | 0
    let c = 0
    let d = -P1 | 0
    for (; at + 16 <= bytes.length; at += 16) {
      a = round(a, bytes.readInt32LE(at))
      b = round(b, bytes.readInt32LE(at + 4))
      c = round(c, bytes.readInt32LE(at + 8))
      d = round(d, bytes.readInt32LE(at + 12))
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)
  }
  hash = (hash + bytes.length) | 0
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(bytes.readInt32LE(at), P3)) | 0, 17), P4)
  }
  for (; at < bytes.length; at++) hash = Math.imul(rotate((hash + Math.imul(bytes[at]!, P5)) | 0, 11), P1)
  hash = Math.imul(hash ^ (hash >>> 15), P2)
  hash = Math.imul(hash ^ (hash >>> 13), P3)
  return (hash ^ (hash >>> 16)) >>> 0
}

const P1 = 0x9e3779b1
const P2 = 0x85ebca77
const P3 = 0xc2b2ae3d
const P4 = 0x27d4eb2f
const P5 = 0x165667b1

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, P2)) | 0, 13), P1)
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}
