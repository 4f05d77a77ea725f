import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOW, requestFor, rig } from './rig.test-support.ts'
import { SourcePaused } from './scanner.ts'
import {
  devtoList,
  hashnodePosts,
  makeTopics,
  redditListing,
  stackoverflowPage,
  youtubeSearch,
  youtubeVideos,
} from './source-payloads.test-support.ts'

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e21,
  '',
  ' ',
  'x',
  'javascript:alert(1)',
  'https://',
  '2026-99-99',
  [],
  {},
  [null],
  [[]],
  [{}],
  { data: {} },
  '\ud800\0',
]

const topics = makeTopics('odd', 'opentelemetry', 2, NOW)

/** What each source may answer, by path. */
const ANSWERS: Readonly<Record<string, (path: string) => unknown>> = {
  stackoverflow: () => stackoverflowPage(topics, { remaining: 100 }),
  reddit: path => (path.includes('access_token') ? { access_token: 'token', expires_in: 3600 } : redditListing(topics)),
  devto: () => devtoList(topics),
  hashnode: () => ({ data: { tag: { posts: hashnodePosts(topics) } } }),
  youtube: path => (path.includes('/search?') ? youtubeSearch(topics) : youtubeVideos(topics)),
}

/** Puts odd values in place of some of the right ones. */
function oddly(value: unknown, next: () => number): unknown {
  const choice = next()
  if (choice < ODD.length) return ODD[choice]
  if (Array.isArray(value)) return value.map(each => oddly(each, next))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, oddly(each, next)]))
}

test.each(Object.keys(ANSWERS))(
  '%s: an answer may be odd in any part: what can be read is found, and no scan fails in a way of its own',
  { timeout: 120_000 },
  async type => {
    let next = () => ODD.length
    const { scanner, memory } = await rig({
      reply: ({ path }) => ({ body: oddly(ANSWERS[type]!(path), next) ?? null }),
    })
    const chance = fc.infiniteStream(fc.integer({ min: 0, max: ODD.length * 12 }))
    await fc.assert(
      fc.asyncProperty(chance, async choices => {
        next = () => choices.next().value
        memory.entries.clear()
        const result = await scanner(type)
          .scan(requestFor(['opentelemetry']))
          .catch(error => {
            expect([Error, SourcePaused]).toContain(error.constructor)
            return { topics: [] }
          })
        for (const topic of result.topics) {
          expect(topic).toMatchObject({
            sourceType: type,
            externalId: expect.any(String),
            title: expect.stringMatching(/\S/),
          })
          expect(topic.url).toMatch(/^https?:\/\//)
          expect(JSON.stringify(topic)).not.toMatch(/\\u0000|\\ud800|null/)
          expect(topic.tags?.every(tag => typeof tag === 'string') ?? true).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  },
)
