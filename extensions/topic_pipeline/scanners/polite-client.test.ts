import { describe, expect, test } from 'vitest'
import type { SourceFault } from './played.test-support.ts'
import { NOW, requestFor, rig } from './rig.test-support.ts'
import { SourcePaused } from './scanner.ts'

describe('freshness', () => {
  test('what has not changed is found once, and asked for with what the answer said', async () => {
    const { scanner, sources, memory } = await rig({ topics: 5 })
    const medium = scanner('medium')
    const first = await medium.scan(requestFor(['opentelemetry']))
    await first.acknowledge!(memory, NOW)
    expect(await scanner('medium').scan(requestFor(['opentelemetry']))).toMatchObject({
      topics: [],
      requests: 1,
      notModified: 1,
      problems: [],
    })
    expect(sources.requests[1]!.headers['if-none-match']).toMatch(/^"/)
  })

  test('what was not acknowledged is found again: nothing is lost between a scan and its storing', async () => {
    const { scanner } = await rig({ topics: 5 })
    const medium = scanner('medium')
    expect((await medium.scan(requestFor(['opentelemetry']))).topics).toHaveLength(5)
    expect((await medium.scan(requestFor(['opentelemetry']))).topics).toHaveLength(5)
  })

  test('what one category has seen another one has not', async () => {
    const { scanner, memory } = await rig({ topics: 5 })
    const medium = scanner('medium')
    const first = await medium.scan(requestFor(['opentelemetry'], { negativeKeywords: ['lesson'] }))
    await first.acknowledge!(memory, NOW)
    expect(first.topics).toEqual([])
    expect((await medium.scan(requestFor(['opentelemetry']))).topics).toHaveLength(5)
  })

  test('what is still fresh is not asked for at all, at most for an hour', async () => {
    const atom = '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>'
    const headers = { 'cache-control': 'public, max-age=86400', 'last-modified': 'Thu, 19 Nov 2026 10:00:00 GMT' }
    const { scanner, sources, memory, clock } = await rig({ reply: () => ({ body: atom, headers }) })
    const first = await scanner('medium').scan(requestFor(['otel']))
    await first.acknowledge!(memory, NOW)
    await clock.advance(3_599_999)
    expect(await scanner('medium').scan(requestFor(['otel']))).toMatchObject({ requests: 0, notModified: 1 })
    await clock.advance(1)
    expect(await scanner('medium').scan(requestFor(['otel']))).toMatchObject({ requests: 1 })
    expect(sources.requests[1]!.headers['if-modified-since']).toBe('Thu, 19 Nov 2026 10:00:00 GMT')
  })

  test('an answer that cannot be read is asked for again', async () => {
    let broken = true
    const { scanner, memory } = await rig({ topics: 5, fault: () => (broken ? 'html' : undefined) })
    await expect(scanner('medium').scan(requestFor(['opentelemetry']))).rejects.toThrow(
      'web page where a feed was expected',
    )
    broken = false
    const result = await scanner('medium').scan(requestFor(['opentelemetry']))
    await result.acknowledge!(memory, NOW)
    expect(result.topics).toHaveLength(5)
  })
})

describe('being left alone', () => {
  test('429 with Retry-After: no request before, also after a restart, and then again', async () => {
    const { scanner, sources, clock } = await rig({ fault: ({ number }) => (number === 1 ? 'too_many' : undefined) })
    const paused = { name: 'SourcePaused', message: 'Dev.to wants fewer requests (status 429)', until: NOW + 30_000 }
    await expect(scanner('devto').scan(requestFor(['otel']))).rejects.toMatchObject(paused)
    await expect(scanner('devto').scan(requestFor(['otel']))).rejects.toMatchObject(paused)
    await clock.advance(29_999)
    await expect(scanner('devto').scan(requestFor(['otel']))).rejects.toMatchObject(paused)
    expect(sources.requests).toHaveLength(1)
    await clock.advance(1)
    expect((await scanner('devto').scan(requestFor(['otel']))).topics).toHaveLength(10)
  })

  test('429 in the middle of a scan keeps what was found until then', async () => {
    const { scanner } = await rig({ fault: ({ number }) => (number === 2 ? 'too_many' : undefined) })
    const result = await scanner('devto').scan(requestFor(['otel', 'sampling', 'metrics']))
    expect(result.topics).toHaveLength(10)
    expect(result).toMatchObject({ requests: 2, problems: ['Dev.to wants fewer requests (status 429)'] })
  })

  test('three failures in a row open the circuit, each further one for longer, and a success closes it', async () => {
    let broken = true
    const { scanner, sources, clock } = await rig({ fault: () => (broken ? 'broken' : undefined) })
    const scan = () => scanner('devto').scan(requestFor(['otel']))
    for (let i = 0; i < 3; i++) await expect(scan()).rejects.toThrow('Dev.to failed with status 500')
    await expect(scan()).rejects.toMatchObject({ name: 'SourcePaused', until: NOW + 15_000 })
    expect(sources.requests).toHaveLength(3)
    await clock.advance(15_000)
    await expect(scan()).rejects.toThrow('Dev.to failed with status 500')
    await expect(scan()).rejects.toMatchObject({ name: 'SourcePaused', until: NOW + 45_000 })
    await clock.advance(30_000)
    broken = false
    expect((await scan()).topics).toHaveLength(10)
    broken = true
    await expect(scan()).rejects.toThrow('Dev.to failed with status 500')
    await expect(scan()).rejects.not.toBeInstanceOf(SourcePaused)
  })

  test('403 is until the next scheduled scan', async () => {
    const { scanner, sources } = await rig({ fault: () => 'forbidden' })
    for (let i = 1; i <= 2; i++) {
      await expect(scanner('medium').scan(requestFor(['otel']))).rejects.toMatchObject({
        name: 'SourcePaused',
        message: 'Medium lets nobody in (blocked, status 403)',
        until: undefined,
      })
      expect(sources.requests).toHaveLength(i)
    }
  })

  test('the pause of one source does not concern another one', async () => {
    const { scanner } = await rig({ fault: ({ source }) => (source === 'devto' ? 'too_many' : undefined) })
    await expect(scanner('devto').scan(requestFor(['otel']))).rejects.toThrow(SourcePaused)
    expect((await scanner('hashnode').scan(requestFor(['otel']))).topics).toHaveLength(10)
  })
})

describe('what is wrong', () => {
  const EVERY = ['stackoverflow', 'reddit', 'medium', 'devto', 'hashnode', 'youtube', 'rss']
  const FAULTS: [SourceFault, RegExp][] = [
    ['broken', /failed with status 500|web page/],
    ['html', /web page/],
    ['truncated', /connection broke|could not be asked/],
    ['garbage', /JSON|no feed that can be read/],
    ['forbidden', /blocked, status 403|web page/],
    ['too_many', /wants fewer requests/],
    ['quota', /wants fewer requests|quota/],
  ]
  test.each(FAULTS)('%s: every scanner says what it was', async (fault, why) => {
    const { scanner } = await rig({ fault: () => fault })
    for (const type of EVERY) {
      const error = await scanner(type)
        .scan(requestFor(['otel']))
        .then(
          () => undefined,
          error => error,
        )
      expect(error, type).toBeInstanceOf(Error)
      expect(error.message, type).toMatch(why)
    }
  })

  test.each(FAULTS)('%s for one keyword: the others are found, and the problem is recorded', async (fault, why) => {
    const { scanner } = await rig({ topics: 3, fault: ({ number }) => (number === 2 ? fault : undefined) })
    for (const type of ['stackoverflow', 'medium', 'devto', 'hashnode']) {
      const result = await scanner(type, { stackoverflow: { answers: false } }).scan(requestFor(['otel', 'sampling']))
      expect(result.topics, type).toHaveLength(3)
      expect(result.problems, type).toEqual([expect.stringMatching(why)])
    }
  })

  test('silence ends at the time limit', async () => {
    const { scanner } = await rig({ fault: () => 'silent', timeout: 300 })
    await expect(scanner('devto').scan(requestFor(['otel']))).rejects.toThrow(
      'Dev.to could not be asked: No whole answer within',
    )
  })

  test('who scans may lose interest, and that is no failure of the source', async () => {
    const { scanner, memory } = await rig({ fault: () => 'silent' })
    const reason = new Error('no longer wanted')
    const abort = new AbortController()
    const scan = scanner('devto').scan(requestFor(['otel'], { signal: abort.signal }))
    setImmediate(() => abort.abort(reason))
    await expect(scan).rejects.toBe(reason)
    expect(await memory.get('source', 'devto')).toBeUndefined()
  })
})

test('requests of a source keep their distance, and never overlap', async () => {
  const { scanner, sources, clock } = await rig({ latency: 5 })
  const devto = scanner('devto', { devto: { request_interval: '1s' } })
  const scan = Promise.all([devto.scan(requestFor(['a', 'b'])), devto.scan(requestFor(['c', 'd']))])
  let done = false
  void scan.finally(() => {
    done = true
  })
  while (!done) {
    const before = sources.requests.length
    await clock.advance(1_000)
    expect(sources.requests.length).toBeLessThanOrEqual(before + 1)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  expect(sources.requests).toHaveLength(4)
  expect(clock.monotonic()).toBeGreaterThanOrEqual(3 * 1_100)
})
