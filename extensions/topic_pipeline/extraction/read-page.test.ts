import { expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const SENTENCES = 'The collector keeps what it was given, and tells what it lost. '.repeat(12)

function read(html: string, contentType = 'text/html; charset=utf-8', url = 'https://example.org/blog/post') {
  return readPage({ body: Buffer.from(html), contentType, url })
}

const ARTICLE = `<!doctype html><html lang="en"><head><title>Tail sampling | A Site</title><link rel="canonical" href="/blog/tail-sampling">
<meta name="author" content=" Ann  Smith "></head><body><header><nav><a href="/">Home</a><a href="/about">About us</a></nav></header>
<aside>Subscribe to the newsletter</aside><article><h1>Tail sampling</h1><p>${SENTENCES}</p><h2>Policies</h2>
<pre><code class="language-yaml">policies:\n  - name: errors</code></pre><ul><li>first point</li><li>second point</li></ul><p>${SENTENCES}</p></article>
<footer>Cookie settings</footer></body></html>`

test('an article without what stands around it, with its title, author and canonical address', () => {
  const page = read(ARTICLE)
  expect(page).toMatchObject({
    partial: false,
    title: 'Tail sampling',
    author: 'Ann Smith',
    canonicalUrl: 'https://example.org/blog/tail-sampling',
  })
  expect(page.text).toContain(
    '## Policies\n\n```yaml\npolicies:\n  - name: errors\n```\n\n- first point\n- second point',
  )
  expect(page.text).not.toMatch(/Home|About us|newsletter|Cookie/)
})

test('a page before a paywall is only a part', () => {
  const marked = ARTICLE.replace(
    '</head>',
    '<script type="application/ld+json">{"isAccessibleForFree": "False"}</script></head>',
  )
  expect(read(marked).partial).toBe(true)
})

test('a page that claims to be the front page is not believed', () => {
  expect(read(ARTICLE.replace('/blog/tail-sampling', 'https://example.org/')).canonicalUrl).toBeUndefined()
  expect(read(ARTICLE.replace('/blog/tail-sampling', 'javascript:1')).canonicalUrl).toBeUndefined()
})

test('the title for sharing counts more than the one of the window', () => {
  expect(
    read(ARTICLE.replace('</head>', '<meta property="og:title" content="For &quot;sharing&quot;"></head>')).title,
  ).toBe('For "sharing"')
})

test('a page without title is called by its heading', () => {
  expect(read(`<article><h1>The heading</h1><p>${SENTENCES}</p></article>`).title).toBe('The heading')
})

test('plain text and Markdown are taken as they are', () => {
  expect(read('line one\r\nline two, long enough', 'text/plain')).toEqual({
    text: 'line one\nline two, long enough',
    partial: false,
  })
  expect(read('intro\n\n# The title\n\nText of it', 'text/markdown')).toMatchObject({ title: 'The title' })
})

test('a page without text has none, and one without an article is a part at best', () => {
  expect(read('')).toEqual({ text: '', partial: true })
  expect(read('<html><body><img src=x></body></html>')).toMatchObject({ text: '', partial: true })
  expect(read('just words').text).toBe('just words')
})

test('a page in another encoding, with NUL bytes and invalid ones', () => {
  const bytes = Buffer.concat([
    Buffer.from('<meta charset="iso-8859-1"><article><p>'),
    Buffer.from('Grüße\0 von hier. ', 'latin1'),
    Buffer.from(SENTENCES),
  ])
  expect(readPage({ body: bytes, contentType: 'text/html', url: 'https://example.org/x' }).text).toMatch(
    /^Grüße von hier/,
  )
  const invalid = Buffer.concat([Buffer.from(`<article><p>${SENTENCES}`), Buffer.from([0xff, 0xfe, 0x80])])
  expect(
    readPage({ body: invalid, contentType: 'text/html; charset=utf-8', url: 'https://example.org/x' }).text,
  ).toContain('collector')
})

test('what is nested deeper than anybody writes is refused', () => {
  expect(() => read(`${'<div>'.repeat(500)}x`)).toThrow('The page has elements nested more than 400 deep')
})

test('a very long page is cut off, and says so', () => {
  const page = read(`<main>${`<p>${SENTENCES}</p>`.repeat(1_000)}</main>`)
  expect(page).toMatchObject({ partial: true })
  expect(page.text).toHaveLength(500_000)
})
