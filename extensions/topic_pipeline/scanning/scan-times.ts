import { Cron } from 'croner'
import type { Category } from '../model/category.ts'
import type { Scanner } from '../scanners/scanner.ts'

const MINUTE = 60_000
/** So much of the time between two scans, at most, a category's scans are moved, so that not all start at once. */
const JITTER = 0.1
const LONGEST_JITTER = 5 * MINUTE

/**
 * When a category is next to be scanned at a source.
 * @param last start of the last scan; `undefined`: never scanned
 * @param timeZone of `category.scanCron`, for example `Europe/Berlin`
 * @returns milliseconds since the Unix epoch, perhaps past; `undefined`: never again
 */
export function nextScan(
  category: Pick<Category, 'id' | 'scanFrequency' | 'scanCron' | 'createdAt'>,
  scanner: Pick<Scanner, 'minimumInterval'>,
  last: number | undefined,
  timeZone: string,
): number | undefined {
  const least = last === undefined ? 0 : last + scanner.minimumInterval * MINUTE
  if (category.scanCron !== null) {
    const next = new Cron(category.scanCron, { timezone: timeZone }).nextRun(new Date(last ?? category.createdAt))
    return next === null ? undefined : Math.max(next.getTime(), least)
  }
  if (last === undefined) return category.createdAt
  const interval = category.scanFrequency * MINUTE
  const jitter = Math.min(interval * JITTER, LONGEST_JITTER) * fraction(category.id)
  return Math.max(last + interval + jitter, least)
}

/** Whether `pattern` is a cron expression of five or six fields. The answer is what is wrong with it. */
export function cronFault(pattern: string): string | undefined {
  try {
    new Cron(pattern, { paused: true })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The same for each id, 0 to 1, and far apart for neighbours. */
function fraction(id: number): number {
  return ((Math.imul(id, 0x9e3779b1) >>> 0) % 1000) / 1000
}
