import { expect, test } from 'vitest'
import { nextPacificMidnight, pacificDay } from './pacific-day.ts'

test.each([
  ['2026-11-20T12:00:00Z', '2026-11-20', '2026-11-21T08:00:00.000Z'],
  ['2026-11-20T07:59:59Z', '2026-11-19', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20T08:00:00Z', '2026-11-20', '2026-11-21T08:00:00.000Z'],
  ['2026-07-01T12:00:00Z', '2026-07-01', '2026-07-02T07:00:00.000Z'],
  ['2026-03-08T05:00:00Z', '2026-03-07', '2026-03-08T08:00:00.000Z'],
  ['2026-03-08T12:00:00Z', '2026-03-08', '2026-03-09T07:00:00.000Z'],
  ['2026-11-01T12:00:00Z', '2026-11-01', '2026-11-02T08:00:00.000Z'],
  ['2026-12-31T12:00:00Z', '2026-12-31', '2027-01-01T08:00:00.000Z'],
])('at %s it is %s in California, and the next day begins at %s', (now, day, midnight) => {
  expect(pacificDay(Date.parse(now))).toBe(day)
  expect(new Date(nextPacificMidnight(Date.parse(now))).toISOString()).toBe(midnight)
})
