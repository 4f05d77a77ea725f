import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { admitJson, type Signal, toJson } from '#core/data'
import { detailedLogs, detailedMetrics, detailedTraces } from './detailed.ts'
import { normalLogs, normalMetrics, normalTraces } from './normal.ts'

const TEXTS = {
  traces: { normal: normalTraces, detailed: detailedTraces },
  metrics: { normal: normalMetrics, detailed: detailedMetrics },
  logs: { normal: normalLogs, detailed: detailedLogs },
} as const

/** `testdata/<signal>.json` through bytes and back, as it comes to the exporter. */
function request(signal: Signal): object {
  const text = readFileSync(join(import.meta.dirname, `testdata/${signal}.json`))
  return JSON.parse(toJson(admitJson(signal, text).payload))
}

describe.each(['traces', 'metrics', 'logs'] as const)('%s', signal => {
  test.each(['normal', 'detailed'] as const)('%s', verbosity => {
    const expected = readFileSync(join(import.meta.dirname, `testdata/${signal}.${verbosity}.txt`), 'utf8')
    expect(TEXTS[signal][verbosity](request(signal))).toBe(expected)
  })
})

test('of an empty request nothing is printed', () => {
  for (const { normal, detailed } of Object.values(TEXTS)) expect([normal({}), detailed({})]).toEqual(['', ''])
})
