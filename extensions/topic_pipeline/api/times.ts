import { RouteError } from '#core/component'

const DAY = 86_400_000

/** ISO 8601 in UTC without zone and fraction, as `source_date` and its like are told. */
export function localTime(time: number): string
export function localTime(time: number | null | undefined): string | null
export function localTime(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString().slice(0, 19)
}

/**
 * The first moment of an ISO date, or the moment of an ISO date-time, UTC where no zone is written.
 * @throws {RouteError} 400
 */
export function startOf(name: string, written: string): number {
  return parse(name, written).from
}

/** The first moment after an ISO date, so that the whole day is in; the moment after an ISO date-time. */
export function endOf(name: string, written: string): number {
  return parse(name, written).before
}

function parse(name: string, written: string): { readonly from: number; readonly before: number } {
  const [, date, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(written) ?? []
  const from = date === undefined ? Number.NaN : Date.parse(`${date}T${time ?? '00:00'}${zone ?? 'Z'}`)
  // Date.parse takes the 31st of February for the 3rd of March.
  if (!Number.isFinite(from) || !isDay(date!)) {
    throw new RouteError(400, 'INVALID_REQUEST', `Invalid query: ${name} must be an ISO date such as 2026-11-19`)
  }
  return { from, before: time === undefined ? from + DAY : from + 1 }
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date)
}
