/** Dot product of two vectors of the same length: their cosine similarity when both have unit length. */
export function dot(a: Float32Array, b: Float32Array, from = 0): number {
  const length = b.length
  const whole = length - (length % 8)
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  // Four sums that do not wait for each other keep the processor's adders busy.
  for (; i < whole; i += 8) {
    const j = from + i
    s0 += a[j]! * b[i]! + a[j + 4]! * b[i + 4]!
    s1 += a[j + 1]! * b[i + 1]! + a[j + 5]! * b[i + 5]!
    s2 += a[j + 2]! * b[i + 2]! + a[j + 6]! * b[i + 6]!
    s3 += a[j + 3]! * b[i + 3]! + a[j + 7]! * b[i + 7]!
  }
  for (; i < length; i++) s0 += a[from + i]! * b[i]!
  return s0 + s1 + s2 + s3
}
