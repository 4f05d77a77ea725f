import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FakeClock, RecordingLogger, tempDir, until } from '#core/testing'
import type { NewCategory } from '../model/category.ts'
import type { FoundTopic } from '../model/topic.ts'
import { type Scanner, type ScanRequest, type ScanResult, SourcePaused } from '../scanners/scanner.ts'
import { openStore } from '../store/open-store.ts'
import { ScanSchedule } from './scan-schedule.ts'
import { ScanService } from './scan-service.ts'
import { cronFault, nextScan } from './scan-times.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('when a category is next to be scanned', () => {
  const createdAt = Date.UTC(2026, 10, 20, 12)
  const category = { id: 0, scanFrequency: 60, scanCron: null, createdAt }
  const at = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

  test.each([
    ['at once when it never was', category, 15, undefined, '2026-11-20T12:00:00.000Z'],
    ['after its frequency', category, 15, createdAt, '2026-11-20T13:00:00.000Z'],
    ['not before the least interval of the source', category, 90, createdAt, '2026-11-20T13:30:00.000Z'],
    ['by its cron expression', { ...category, scanCron: '0 6 * * *' }, 15, createdAt, '2026-11-21T06:00:00.000Z'],
    [
      'by its cron expression, first from its creation',
      { ...category, scanCron: '30 12 * * *' },
      15,
      undefined,
      '2026-11-20T12:30:00.000Z',
    ],
    [
      'by its cron expression, not before the least interval',
      { ...category, scanCron: '* * * * *' },
      15,
      createdAt,
      '2026-11-20T12:15:00.000Z',
    ],
    ['never when its cron expression is over', { ...category, scanCron: '0 0 0 1 1 * 2020' }, 15, createdAt, undefined],
  ])('%s', (_, of, minimumInterval, last, expected) => {
    expect(at(nextScan(of, { minimumInterval }, last, 'UTC'))).toBe(expected)
  })

  test('cron expressions are of the time zone', () => {
    const daily = { ...category, scanCron: '0 6 * * *' }
    expect(at(nextScan(daily, { minimumInterval: 1 }, createdAt, 'America/New_York'))).toBe('2026-11-21T11:00:00.000Z')
    expect([cronFault('0 6 * * *'), cronFault('every day') !== undefined]).toEqual([undefined, true])
  })

  test('categories do not all start at once', () => {
    const starts = Array.from(
      { length: 20 },
      (_, id) => nextScan({ ...category, id }, { minimumInterval: 1 }, createdAt, 'UTC')!,
    )
    expect(new Set(starts).size).toBe(20)
    expect(Math.max(...starts)).toBeLessThanOrEqual(createdAt + HOUR + 5 * MINUTE)
  })
})

/** A scanner that answers what the test says, and counts how many of its scans run at a time. */
class TestScanner implements Scanner {
  readonly displayName = 'Test'
  readonly minimumInterval = 15
  readonly asked: (readonly string[])[] = []
  running = 0
  most = 0
  unconfigured: string | undefined
  result: () => Promise<Partial<ScanResult>> = async () => ({})
  readonly type: string

  constructor(type: string) {
    this.type = type
  }

  unavailable() {
    return this.unconfigured
  }

  async scan({ keywords }: ScanRequest): Promise<ScanResult> {
    this.asked.push(keywords)
    this.most = Math.max(this.most, ++this.running)
    try {
      return { topics: [], requests: 1, notModified: 0, problems: [], ...(await this.result()) }
    } finally {
      this.running--
    }
  }
}

const topic = (externalId: string): FoundTopic => ({
  sourceType: 'a',
  externalId,
  title: externalId,
  url: `https://example.org/${externalId}`,
})

async function rig() {
  const dir = await tempDir()
  const logger = new RecordingLogger()
  const store = await openStore({ dataDir: dir.path, logger })
  const clock = new FakeClock()
  const scanners = [new TestScanner('a'), new TestScanner('b')] as const
  const ended: string[] = []
  const service = new ScanService({
    ...{ store, scanners, clock, logger, maxResults: 25 },
    tracer: { startSpan: () => trace.getSpan(ROOT_CONTEXT) ?? trace.wrapSpanContext(SPAN) } as never,
    ended: (source, { status }) => ended.push(`${source} ${status}`),
  })
  onTestFinished(async () => {
    await service.close()
    await store.close()
    await dir[Symbol.asyncDispose]()
  })
  const category = async (more: Partial<NewCategory> = {}) => {
    const id = await store.categories.create({ ...CATEGORY, ...more }, clock.now())
    return (await store.categories.get(id))!
  }
  return { store, clock, logger, scanners, service, ended, category }
}

const SPAN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
const CATEGORY: NewCategory = {
  name: 'Traces',
  description: '',
  keywords: ['otel'],
  negativeKeywords: [],
  sources: [],
  scanFrequency: 60,
  scanCron: null,
  enabled: true,
}

describe('scans', () => {
  test('what is found is kept once, with the trace that found it', async () => {
    const { store, scanners, service, category } = await rig()
    scanners[0].result = async () => ({
      topics: [topic('x'), topic('y')],
      requests: 2,
      notModified: 1,
      quotaRemaining: 7,
      problems: ['one was broken'],
    })
    const targets = service.targetsOf(await category({ sources: ['a'] }))
    await service.scan(targets)
    await service.scan(targets)
    const history = await store.scans.history(10)
    expect(history.map(({ topicsFound, topicsNew, status }) => [topicsFound, topicsNew, status])).toEqual([
      [2, 0, 'COMPLETED'],
      [2, 2, 'COMPLETED'],
    ])
    expect(history[0]).toMatchObject({
      source: 'a',
      requests: 2,
      notModified: 1,
      quotaRemaining: 7,
      errors: 1,
      errorDetails: 'one was broken',
    })
    const [job] = await store.jobs.claim({ stages: ['EXTRACT'], owner: 'o', now: 9e15, leaseUntil: 9e15, limit: 5 })
    expect(job!.traceparent).toBe(`00-${SPAN.traceId}-${SPAN.spanId}-01`)
  })

  test('one piece that two sources link to by other addresses is one topic', async () => {
    const { store, scanners, service, category } = await rig()
    const piece = { ...topic('x'), url: 'http://Example.org/post/?utm_source=a#top' }
    scanners[0].result = async () => ({ topics: [piece] })
    const copy = {
      ...topic('y'),
      sourceType: 'b',
      url: 'https://b.example/y',
      canonicalUrl: 'https://example.org/post',
    }
    scanners[1].result = async () => ({ topics: [copy] })
    await service.scan(service.targetsOf(await category()))
    const added = (await store.scans.history(10)).map(({ topicsNew }) => topicsNew)
    expect(added.toSorted()).toEqual([0, 1])
  })

  test('a category that names no sources is scanned at all', async () => {
    const { service, ended, category } = await rig()
    await service.scan(service.targetsOf(await category()))
    expect(ended.toSorted()).toEqual(['a COMPLETED', 'b COMPLETED'])
  })

  test('one source is asked by one scan at a time, two side by side', async () => {
    const { scanners, service, category } = await rig()
    const open: (() => void)[] = []
    for (const scanner of scanners) scanner.result = () => new Promise(resolve => open.push(() => resolve({})))
    const targets = [...service.targetsOf(await category()), ...service.targetsOf(await category({ name: 'Logs' }))]
    const done = service.scan(targets)
    await until(() => open.length === 2)
    expect([scanners[0].running, scanners[1].running, service.running]).toEqual([1, 1, 4])
    for (let i = 0; i < 4; i++) {
      await until(() => open[i] !== undefined)
      open[i]!()
    }
    await done
    expect([scanners[0].most, scanners[1].most, service.running]).toEqual([1, 1, 0])
  })

  test('what cannot be scanned is told with its reason, and what failed does not stop the others', async () => {
    const { store, clock, scanners, service, category } = await rig()
    scanners[0].unconfigured = 'not configured: api_key is missing'
    scanners[1].result = () => Promise.reject(new SourcePaused('quota is used up', clock.now() + HOUR))
    await service.scan(service.targetsOf(await category()))
    scanners[1].result = () => Promise.reject(new Error('it broke'))
    await service.scan(service.targetsOf(await category()))
    const told = (await store.scans.history(10)).map(({ source, status, errorDetails }) => [
      source,
      status,
      errorDetails,
    ])
    expect(told.filter(([source]) => source === 'b')).toEqual([
      ['b', 'FAILED', 'it broke'],
      ['b', 'SKIPPED', 'quota is used up (paused until 2026-01-01T01:00:00.000Z)'],
    ])
    expect(told.filter(([source]) => source === 'a')).toEqual([
      ['a', 'SKIPPED', 'not configured: api_key is missing'],
      ['a', 'SKIPPED', 'not configured: api_key is missing'],
    ])
  })

  test('a scan that never ends is broken off, by time and by closing', async () => {
    const { store, clock, scanners, service, category } = await rig()
    let signal: AbortSignal | undefined
    scanners[0].scan = request => {
      signal = request.signal
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    const targets = service.targetsOf(await category({ sources: ['a'] }))
    const first = service.scan(targets)
    await until(() => signal !== undefined)
    await clock.advance(10 * MINUTE)
    await first
    expect((await store.scans.history(1))[0]).toMatchObject({
      status: 'FAILED',
      errorDetails: 'It took longer than 9 minutes',
    })
    signal = undefined
    const second = service.scan(targets)
    await until(() => signal !== undefined)
    await service.close()
    await second
    expect((await store.scans.history(1))[0]).toMatchObject({ status: 'FAILED', errorDetails: 'The collector stops' })
  })
})

describe('a scan whose process died', () => {
  test('does not count as a scan, and stands in the way only while its lease holds', async () => {
    const { store, clock, category } = await rig()
    const { id } = await category({ sources: ['a'] })
    const now = clock.now()
    await store.scans.begin(id, 'a', now, now + MINUTE)
    expect(await store.scans.lastRuns(now)).toHaveLength(1)
    expect(await store.scans.begin(id, 'a', now, now + MINUTE)).toBe(undefined)
    expect(await store.scans.lastRuns(now + MINUTE)).toEqual([])
    expect(await store.scans.abandon(now)).toBe(1)
    expect(await store.scans.lastRuns(now)).toEqual([])
    expect((await store.scans.history(1))[0]).toMatchObject({
      status: 'FAILED',
      errorDetails: 'Its process died or stood still',
    })
  })

  test('one that runs long keeps its lease', async () => {
    const { store, clock, scanners, service, category } = await rig()
    let finish: (() => void) | undefined
    scanners[0].result = () => new Promise(resolve => (finish = () => resolve({})))
    const of = await category({ sources: ['a'] })
    const done = service.scan(service.targetsOf(of))
    await until(() => finish !== undefined)
    for (let i = 0; i < 6; i++) {
      await clock.advance(MINUTE)
      await until(async () => (await store.scans.running(clock.now())) === 1)
    }
    finish!()
    await done
    expect(await store.scans.running(clock.now())).toBe(0)
  })
})

describe('the schedule', () => {
  test('scans each enabled category when it is due, and one that was added at once', async () => {
    const { store, clock, logger, scanners, service, ended, category } = await rig()
    await category({ sources: ['a'] })
    await category({ sources: ['b'], enabled: false })
    const schedule = new ScanSchedule({ store, service, clock, logger, timeZone: 'UTC' })
    schedule.look()
    await until(() => ended.length === 1)
    // It looks once a minute; the hour and the jitter are over after 66.
    for (let i = 0; i < 66; i++) {
      await until(() => clock.pending > 0)
      await clock.advance(MINUTE)
    }
    await until(() => ended.length === 2)
    expect(scanners[0].asked).toEqual([['otel'], ['otel']])
    await category({ sources: ['b'], keywords: ['new'] })
    schedule.look()
    await until(() => scanners[1].asked.length === 1)
    await schedule.close()
    await service.close()
    expect(ended).toEqual(['a COMPLETED', 'a COMPLETED', 'b COMPLETED'])
  })
})
