/**
 * Dot product of `b` with the numbers of `a` from `from` on: their cosine similarity when both have unit length. Four
 * sums, because one would make each addition wait for the one before.
 */
export function dot(a: Float32Array, b: Float32Array, from = 0): number {
  const { length } = b
  const whole = length - (length % 4)
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  let i = 0
  for (; i < whole; i += 4) {
    const j = from + i
    s0 += a[j]! * b[i]!
    s1 += a[j + 1]! * b[i + 1]!
    s2 += a[j + 2]! * b[i + 2]!
    s3 += a[j + 3]! * b[i + 3]!
  }
  for (; i < length; i++) s0 += a[from + i]! * b[i]!
  return s0 + s1 + s2 + s3
}
