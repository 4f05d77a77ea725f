/** The provider's days: they begin at midnight in California. @module */

const ZONE = 'America/Los_Angeles'
const DATE = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' })
const HOUR = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', hourCycle: 'h23' })
const HOURS = 3_600_000

/** The date there, `2026-11-20`. */
export function pacificDay(now: number): string {
  return DATE.format(now)
}

/** When the next day begins there, in milliseconds since the Unix epoch. Clocks change at two, so midnight is always there. */
export function nextPacificMidnight(now: number): number {
  const [year, month, day] = pacificDay(now).split('-').map(Number) as [number, number, number]
  const candidates = [7, 8].map(offset => Date.UTC(year, month - 1, day + 1) + offset * HOURS)
  return candidates.find(time => Number(HOUR.format(time)) === 0) ?? candidates[1]!
}
