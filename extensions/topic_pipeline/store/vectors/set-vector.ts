import type { OpenSession, SetVector } from '../session.ts'

/** Keeps a vector in a transaction, whose own searches see it at once. */
export async function setVector(open: OpenSession, vector: SetVector): Promise<void> {
  if (!open.vectors.available) return
  await open.vectors.set(open, vector)
  open.setVectors.push(vector)
}
