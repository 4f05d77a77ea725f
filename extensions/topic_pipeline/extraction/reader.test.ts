import { expect, onTestFinished, test } from 'vitest'
import { createReader, type ReaderOptions } from './reader.ts'

const ARTICLE = `<article><h1>Title</h1><p>${'Some words, and more of them. '.repeat(30)}</p></article>`

function lab(options: ReaderOptions = {}) {
  const reader = createReader(options)
  onTestFinished(() => reader.close())
  return {
    reader,
    page: (html: string) =>
      reader.page({ body: Buffer.from(html), contentType: 'text/html; charset=utf-8', url: 'https://example.org/a' }),
  }
}

/** Pages that somebody might make so that reading them never ends. */
const HOSTILE: Record<string, () => string> = {
  'a hundred thousand open divisions': () => '<div>'.repeat(100_000),
  'a thousand nested divisions': () => `${'<div>'.repeat(1_000)}x${'</div>'.repeat(1_000)}`,
  'open paragraphs and formats': () => '<p><b>'.repeat(50_000),
  'nested tables': () => '<table><tr><td>'.repeat(20_000),
  'nested lists': () => '<ul><li>'.repeat(20_000),
  'half a million attributes': () =>
    `<p ${Array.from({ length: 500_000 }, (_, index) => `a${index}=b`).join(' ')}>x</p>`,
  'an attribute of four megabytes': () => `<p title="${'x'.repeat(4_000_000)}">text</p>`,
  'a comment without end': () => `<!--${'-'.repeat(4_000_000)}`,
  'a million angle brackets': () => '<'.repeat(1_000_000),
  'character references without end': () => '&amp'.repeat(500_000),
  'a table of a hundred thousand cells': () => `<table><tr>${'<td>x'.repeat(100_000)}`,
  'a script that never closes': () => `<script>${'var a;'.repeat(500_000)}`,
}

test.each(Object.keys(HOSTILE))(
  '%s: read or refused within the limits, and the next page is read',
  { timeout: 120_000 },
  async name => {
    const { page } = lab({ timeout: 3_000 })
    const begun = performance.now()
    await page(HOSTILE[name]!()).catch(error => expect(error).toMatchObject({ name: 'Unreadable' }))
    expect(performance.now() - begun).toBeLessThan(60_000)
    const { page: next } = lab({ timeout: 60_000 })
    expect((await next(ARTICLE)).text).toContain('Some words')
  },
)

/** A program that does what it is told, instead of reading. */
const MISBEHAVING = new URL('testdata/misbehaving-worker.ts', import.meta.url)

test('a process that takes too long is ended, and another one takes its place', async () => {
  const { page } = lab({ timeout: 1_500, program: MISBEHAVING })
  await expect(page('forever')).rejects.toMatchObject({
    name: 'Unreadable',
    reason: 'exhausted',
    message: 'Reading it took longer than 1500 ms',
  })
  expect(await page('well')).toMatchObject({ text: 'well' })
})

test('a process that takes too much memory ends, and another one takes its place', async () => {
  const { page } = lab({ timeout: 60_000, memory: 32 << 20, program: MISBEHAVING })
  for (const order of ['memory', 'strings'])
    await expect(page(order)).rejects.toMatchObject({
      reason: 'exhausted',
      message: 'Reading it took more than 32 MiB of memory',
    })
  expect(await page('well')).toMatchObject({ text: 'well' })
})

test('a process that ends by itself is replaced', async () => {
  const { page } = lab({ timeout: 60_000, program: MISBEHAVING })
  await expect(page('end')).rejects.toMatchObject({
    reason: 'exhausted',
    message: expect.stringMatching(/^Reading it failed: /),
  })
  expect(await page('well')).toMatchObject({ text: 'well' })
})

test('the time of a task begins when a process takes it', async () => {
  const { page } = lab({ timeout: 1_500, program: MISBEHAVING })
  const forever = page('forever')
  const waiting = page('well')
  await expect(forever).rejects.toMatchObject({ reason: 'exhausted' })
  expect(await waiting).toMatchObject({ text: 'well' })
})

test('fragments come in their order, titles as plain text', async () => {
  const { reader } = lab({ timeout: 60_000 })
  expect(
    await reader.fragments([
      { html: 'Map&lt;K, V&gt; &amp; <b>more</b> List<T>', as: 'title' },
      { html: '<p>a</p><p>b</p>', as: 'markdown' },
      { html: '<a href="/x">x</a>', as: 'markdown', base: 'https://example.org/y' },
    ]),
  ).toEqual(['Map<K, V> & more List<T>', 'a\n\nb', '[x](https://example.org/x)'])
  expect(await reader.fragments([])).toEqual([])
})

test('a fragment that cannot be read does not spoil it for the others', async () => {
  const { reader } = lab({ timeout: 1_500, program: MISBEHAVING })
  const pieces = ['well', 'forever', 'also well'].map(html => ({ html, as: 'markdown' }) as const)
  expect(await reader.fragments(pieces)).toEqual(['well', '', 'also well'])
})

test('rules for robots whose patterns explode end, too', { timeout: 120_000 }, async () => {
  const { reader } = lab({ timeout: 3_000 })
  const text = `user-agent: *\n${`disallow: /${'*a'.repeat(20_000)}b\n`.repeat(10)}`
  const url = `https://example.org/${'a'.repeat(1_900)}`
  const ruling = reader.robots({ text, robotsUrl: 'https://example.org/robots.txt', url, agent: 'millrace' })
  await ruling.catch(error => expect(error).toMatchObject({ reason: 'exhausted' }))
})

test('a closed reader reads nothing', async () => {
  const { reader, page } = lab()
  await reader.close()
  await expect(page(ARTICLE)).rejects.toMatchObject({ message: 'The reader is closed' })
})
