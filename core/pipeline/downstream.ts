const seen = new WeakSet<object>()

/** Remembers that `error` has crossed an edge: whoever sees it from now on did not cause it. */
export function markDownstream(error: unknown): void {
  if (typeof error === 'object' && error !== null) seen.add(error)
}

/** Whether `error`, or one that it was made from, has crossed an edge. */
export function isFromDownstream(error: unknown): boolean {
  let at = error
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth++) {
    if (seen.has(at)) return true
    at = (at as { readonly cause?: unknown }).cause
  }
  return false
}

/** Enough for every honest chain of causes, and an end to circular ones. */
const MAX_DEPTH = 8
