import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { merge, SIGNALS } from '#core/data'
import { configure, logs, metrics, payloadFor, TestHost, tempDir, testContext, traces } from '#core/testing'
import { checkDebugConfig, debugConfig } from './config.ts'
import { createDebugExporter } from './exporter.ts'

async function running(written: object = {}) {
  const context = testContext({ id: 'debug', kind: 'exporter', signals: SIGNALS })
  const exporter = createDebugExporter(configure(debugConfig, written), context)
  await exporter.start?.(new TestHost())
  return { exporter, context, [Symbol.asyncDispose]: async () => exporter.shutdown?.() }
}

test('basic prints a line a request with counts', async () => {
  await using debug = await running()
  const all = [merge([traces(2), traces(3)]), metrics(4), logs(1), payloadFor('profiles')]
  for (const payload of all) await debug.exporter.consume(payload, NO_CONTEXT)
  expect(debug.context.logger.lines).toEqual([
    line('traces', 'Traces', { 'resource spans': 2, spans: 5 }),
    line('metrics', 'Metrics', { 'resource metrics': 1, metrics: 1, 'data points': 4 }),
    line('logs', 'Logs', { 'resource logs': 1, 'log records': 1 }),
    line('profiles', 'Profiles', { 'resource profiles': 1, 'sample records': 0 }),
  ])
})

function line(signal: string, message: string, counts: object) {
  return { level: 'info', message, fields: { 'otelcol.signal': signal, ...counts } }
}

test.each([
  ['normal', 'ScopeTraces #0 test@1.0.0\nspan 0 '],
  ['detailed', '    Name           : span 0\n'],
])('%s prints a text after the line', async (verbosity, part) => {
  await using debug = await running({ verbosity })
  await debug.exporter.consume(traces(1), NO_CONTEXT)
  const [first, second] = debug.context.logger.messages('info')
  expect(first).toBe('Traces')
  expect(second).toContain(part)
})

test('sampling leaves lines out, not items', async () => {
  await using debug = await running({ sampling_initial: 1, sampling_thereafter: 3 })
  for (let i = 0; i < 7; i++) await debug.exporter.consume(traces(1), NO_CONTEXT)
  expect(debug.context.logger.messages('info')).toHaveLength(3)
  expect(debug.context.ledger.total('sent')).toBe(7)
})

test('files get a message a line with its fields behind a tab', async () => {
  await using dir = await tempDir()
  const paths = [dir.file('a.txt'), dir.file('b.txt')]
  {
    await using debug = await running({ use_internal_logger: false, output_paths: paths })
    await Promise.all([1, 2].map(n => debug.exporter.consume(logs(n), NO_CONTEXT)))
    expect(debug.context.logger.messages('info')).toEqual([])
  }
  const expected = [1, 2].map(n => `Logs\t{"resource logs": 1, "log records": ${n}}\n`).join('')
  for (const path of paths) expect(await readFile(path, 'utf8')).toBe(expected)
})

test('a text in a file is followed by an empty line', async () => {
  await using dir = await tempDir()
  const path = dir.file('a.txt')
  await using debug = await running({ use_internal_logger: false, output_paths: [path], verbosity: 'normal' })
  await debug.exporter.consume(logs(1), NO_CONTEXT)
  expect((await readFile(path, 'utf8')).split('\n').slice(1)).toEqual([
    'ResourceLog #0 service.name=test',
    'ScopeLog #0 test@1.0.0',
    'log 0 n=0',
    '',
    '',
  ])
})

test('an output that fails is a refusal', async () => {
  await using debug = await running({ use_internal_logger: false, output_paths: ['/dev/full'] })
  await expect(debug.exporter.consume(logs(1), NO_CONTEXT)).rejects.toThrow('ENOSPC')
})

test('an output that cannot be opened keeps it from starting', async () => {
  await using dir = await tempDir()
  const written = { use_internal_logger: false, output_paths: [dir.file('no', 'a.txt')] }
  await expect(running(written)).rejects.toThrow('ENOENT')
})

describe('the configuration', () => {
  test.each([
    [{ output_paths: ['stderr'] }, 'output_paths is not supported when use_internal_logger is true'],
    [
      { use_internal_logger: false, output_paths: [] },
      'output_paths must not be empty when use_internal_logger is false',
    ],
    [{ sending_queue: { queue_size: 0 } }, 'sending_queue: `queue_size` must be positive'],
  ])('%j is refused', (written, fault) => {
    expect([...checkDebugConfig(configure(debugConfig, written))]).toEqual([fault])
  })

  test('knows no verbosity but its three', () => {
    expect(() => configure(debugConfig, { verbosity: 'none' })).toThrow('verbosity')
    expect(() => configure(debugConfig, { verBosity: 'normal' })).toThrow('verBosity')
  })
})
