import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FakeClock } from '#core/testing'
import { describe as describeError, localIso } from './log-line.ts'
import { openLogOutput } from './log-output.ts'
import { createLogger, type LogConfig } from './logger.ts'

function recording(config: Partial<LogConfig> = {}): { lines: string[]; logger: ReturnType<typeof createLogger> } {
  const lines: string[] = []
  const logger = createLogger({
    level: 'info',
    encoding: 'json',
    caller: false,
    stackFrom: undefined,
    sampling: undefined,
    write: line => lines.push(line),
    clock: new FakeClock(),
    ...config,
  })
  return { lines, logger }
}

describe('logger', () => {
  test('a JSON line has level, ts, msg and the fields, the more specific winning', () => {
    const { lines, logger } = recording()
    logger
      .with({ a: 1, b: 1 })
      .warn('Hello', { b: 2, big: 2n ** 63n, error: new Error('no', { cause: new Error('why') }) })
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      msg: 'Hello',
      a: 1,
      b: 2,
      big: '9223372036854775808',
      error: 'no: why',
    })
    expect(lines[0]).toMatch(/^\{"level":"warn","ts":"\d{4}-\d\d-\d\dT[^"]+","msg":"Hello",/)
  })

  test('a console line is tab separated and leaves out empty fields', () => {
    const { lines, logger } = recording({ encoding: 'console', caller: true })
    logger.info('Everything is ready')
    const [time, level, caller, message] = lines[0]!.trimEnd().split('\t')
    expect([level, message]).toEqual(['info', 'Everything is ready'])
    expect(caller).toMatch(/^telemetry\/logger\.test\.ts:\d+$/)
    expect(Number.isNaN(Date.parse(time!))).toBe(false)
  })

  test('lines below the level are not printed', () => {
    const { lines, logger } = recording({ level: 'warn' })
    logger.debug('d')
    logger.info('i')
    logger.warn('w')
    logger.error('e')
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['w', 'e'])
    expect(logger.enabled('info')).toBe(false)
  })

  test('sampling prints the first lines of a window, then every n-th, by level and message', async () => {
    const clock = new FakeClock()
    const { lines, logger } = recording({ clock, sampling: { tick: 10_000, initial: 2, thereafter: 3 } })
    for (let i = 1; i <= 9; i++) logger.info('same', { i })
    logger.warn('same')
    logger.info('other')
    expect(lines.map(line => JSON.parse(line).i ?? JSON.parse(line).msg)).toEqual([1, 2, 5, 8, 'same', 'other'])
    await clock.advance(10_000)
    logger.info('same', { i: 10 })
    expect(JSON.parse(lines.at(-1)!).i).toBe(10)
  })

  test('fields that cannot be printed do not throw', () => {
    const { lines, logger } = recording()
    const loop: Record<string, unknown> = {}
    loop.self = loop
    logger.info('loop', { loop })
    expect(lines[0]).toContain('unprintable')
  })

  test('an error line carries the stack where asked', () => {
    const { lines, logger } = recording({ stackFrom: 'error' })
    logger.error('boom', { error: new Error('x') })
    logger.warn('less', { error: new Error('x') })
    expect(JSON.parse(lines[0]!).stacktrace).toContain('logger.test.ts')
    expect(JSON.parse(lines[1]!).stacktrace).toBeUndefined()
  })
})

test('causes follow their error, repeated sentences once', () => {
  expect(describeError(new Error('a', { cause: new Error('b') }))).toBe('a: b')
  expect(describeError(new Error('a: b', { cause: new Error('b') }))).toBe('a: b')
})

test('local time carries its offset', () => {
  expect(Date.parse(localIso(1_700_000_000_123))).toBe(1_700_000_000_123)
})

test('log outputs append whole lines to files and streams', () => {
  const dir = mkdtempSync(join(tmpdir(), 'millrace-log-'))
  const file = join(dir, 'a.log')
  const out: string[] = []
  const streams = { stdout: { write: (t: string) => out.push(t) }, stderr: { write: () => true } }
  for (const line of ['one\n', 'two\n']) {
    const output = openLogOutput([file, 'stdout'], streams)
    output.write(line)
    output.close()
  }
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  expect(out).toEqual(['one\n', 'two\n'])
  rmSync(dir, { recursive: true })
})
