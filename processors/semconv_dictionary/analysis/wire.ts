/**
 * Steps over protobuf fields, for the walk that learns names. Everything here has passed the door (`admit`), so nothing
 * checks again; whatever the bytes, each step goes forward, so a loop `while (p < end)` ends.
 */

/** Register: the position behind what {@link longLength} has read. */
export let after = 0

/** The rest of a length whose first byte was `first`, found before `p` and above 127. */
export function longLength(b: Buffer, p: number, first: number): number {
  let n = first & 127
  let x = 128
  for (let shift = 7; x > 127 && shift < 35; shift += 7) {
    x = b[p++]!
    n |= (x & 127) << shift
  }
  after = p
  return n >>> 0
}

/** The position behind the field whose tag's first byte was `tag` and stood before `p`. */
export function skipField(b: Buffer, p: number, end: number, tag: number): number {
  if (tag > 127) while (b[p++]! > 127 && p < end);
  switch (tag & 7) {
    case 0:
      while (b[p++]! > 127 && p < end);
      return p
    case 1:
      return p + 8
    case 5:
      return p + 4
    case 2: {
      let n = b[p++]!
      if (n > 127) {
        n = longLength(b, p, n)
        p = after
      }
      return p + n
    }
    default:
      return end
  }
}
