import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { createScanners } from './create-scanners.ts'
import { requestFor, rig } from './rig.test-support.ts'
import type { ScannerDeps } from './scanner-deps.ts'
import { sourcesConfig } from './sources-config.ts'

test('six scanners are listed by default, also those that cannot scan and why', () => {
  const scanners = createScanners(configure(sourcesConfig), {} as ScannerDeps)
  expect(scanners.map(({ type, displayName }) => [type, displayName])).toEqual([
    ['stackoverflow', 'Stack Overflow'],
    ['reddit', 'Reddit'],
    ['medium', 'Medium'],
    ['devto', 'Dev.to'],
    ['hashnode', 'Hashnode'],
    ['youtube', 'YouTube'],
  ])
  expect(Object.fromEntries(scanners.map(scanner => [scanner.type, scanner.unavailable()]))).toEqual({
    stackoverflow: undefined,
    reddit: 'disabled: enabled is false, because Reddit wants an approved client and restricts what is done with posts',
    medium: undefined,
    devto: undefined,
    hashnode: undefined,
    youtube: 'not configured: api_key is missing, and no channels are listed',
  })
})

test('every source finds its topics, with title, date, text and author', async () => {
  const { scanners, sources } = await rig({ topics: 7 })
  for (const scanner of scanners()) {
    const result = await scanner.scan(requestFor(['opentelemetry']))
    expect(result.problems, scanner.type).toEqual([])
    expect(result.topics, scanner.type).toHaveLength(7)
    expect(new Set(result.topics.map(topic => topic.externalId)).size).toBe(7)
    for (const topic of result.topics) {
      expect(topic).toMatchObject({ sourceType: scanner.type, title: expect.stringContaining('opentelemetry') })
      expect(topic.title).not.toMatch(/&\w+;|<\/?\w/)
      expect(topic.url).toMatch(/^https?:\/\//)
      expect(topic.sourceDate).toBeTypeOf('number')
      expect(topic.content).not.toMatch(/<(p|h2|ul|code)/)
      expect(topic.author).toBeTruthy()
    }
    expect(sources.requests.filter(({ source }) => source === scanner.type)).toHaveLength(result.requests)
  }
  for (const { headers } of sources.requests) expect(headers['user-agent']).toContain('Millrace-Test/1.0')
})

test('a long list of keywords is cut, which is told', async () => {
  const { scanner, sources } = await rig({ topics: 1 })
  const keywords = Array.from({ length: 30 }, (_, index) => `keyword${index}`)
  for (const type of ['stackoverflow', 'medium', 'devto', 'hashnode']) {
    const result = await scanner(type, { stackoverflow: { answers: false } }).scan(requestFor(keywords))
    expect(result).toMatchObject({ requests: 20, problems: ['Only the first 20 of 30 keywords were asked for'] })
  }
  expect(sources.requests).toHaveLength(80)
})

test('whatever a source writes, it can be kept', async () => {
  const article = {
    id: 1,
    title: `otel \0${'x'.repeat(9_000)}`,
    url: 'https://dev.to/a',
    description: 'half \ud800 a pair',
  }
  const tag_list = Array.from({ length: 900 }, (_, index) => `${'t'.repeat(200)}${index}`)
  const { scanner } = await rig({ reply: () => ({ body: [{ ...article, tag_list }] }) })
  const { topics } = await scanner('devto').scan(requestFor(['otel']))
  expect(topics).toEqual([expect.objectContaining({ content: 'half \ufffd a pair' })])
  expect(topics[0]!.title).toHaveLength(499)
  expect(topics[0]!.tags).toHaveLength(50)
  expect(Math.max(...topics[0]!.tags!.map(tag => tag.length))).toBe(100)
})
