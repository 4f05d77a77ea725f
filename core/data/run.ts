/** Bytes `[from, to)` of a buffer that are to become part of an output. */
export interface Run {
  readonly source: Buffer
  readonly from: number
  to: number
}

/** From this length on a run is referenced; below it is copied together with its neighbours. */
const REFERENCED = 4096

/** Adds `[from, to)` to `runs`, prolonging the last one when it ends where this begins. */
export function addRun(runs: Run[], source: Buffer, from: number, to: number): void {
  const last = runs[runs.length - 1]
  if (last !== undefined && last.to === from && last.source === source) last.to = to
  else if (from < to) runs.push({ source, from, to })
}

/**
 * The runs as few buffers: long ones are views of their source, since fresh memory costs more than anything else here;
 * all others are copied into one buffer of the exact size, whose views are the remaining pieces.
 */
export function gather(runs: readonly Run[]): Buffer[] {
  let copied = 0
  for (const { from, to } of runs) if (to - from < REFERENCED) copied += to - from
  const copy = Buffer.allocUnsafeSlow(copied)
  const pieces: Buffer[] = []
  let start = 0
  let at = 0
  for (const { source, from, to } of runs) {
    if (to - from < REFERENCED) {
      at += source.copy(copy, at, from, to)
      continue
    }
    if (at > start) pieces.push(copy.subarray(start, at))
    start = at
    pieces.push(source.subarray(from, to))
  }
  if (at > start) pieces.push(copy.subarray(start, at))
  return pieces
}
