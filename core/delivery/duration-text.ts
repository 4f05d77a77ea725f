/** Milliseconds as the Collector's logs write a duration: `250ms`, `4.873s`, `1m30s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${trimmed(ms)}ms`
  const seconds = Math.round(ms) / 1000
  if (seconds < 60) return `${trimmed(seconds)}s`
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = `${trimmed(seconds % 60)}s`
  return hours > 0 ? `${hours}h${minutes}m${rest}` : `${minutes}m${rest}`
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(3)))
}
