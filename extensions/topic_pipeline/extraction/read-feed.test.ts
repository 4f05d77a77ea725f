import { expect, test } from 'vitest'
import { readFeed } from './read-feed.ts'

function read(text: string | Uint8Array, contentType = 'application/xml') {
  return readFeed({ body: Buffer.from(text as string), contentType, url: 'https://blog.example/feed', maxItems: 100 })
}

function rss(items: string, prolog = ''): string {
  return `${prolog}<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A &amp; B</title>${items}</channel></rss>`
}

test('texts become Markdown, titles plain text, whether escaped once or twice', () => {
  const { title, items } = read(
    rss(`<item><title>Tail &amp;amp; cost of Map&amp;lt;K&amp;gt;</title><link>https://blog.example/1</link><description>&lt;p&gt;short&lt;/p&gt;</description>
<content:encoded><![CDATA[<h2>Why</h2><p>Because of <a href="/x">x</a></p><script>evil()</script>]]></content:encoded><author>ann@blog.example (Ann)</author><category>a</category><category>a</category></item>`),
  )
  expect(title).toBe('A & B')
  expect(items).toEqual([
    {
      id: 'https://blog.example/1',
      title: 'Tail & cost of Map<K>',
      url: 'https://blog.example/1',
      content: '## Why\n\nBecause of [x](https://blog.example/x)',
      summary: 'short',
      tags: ['a'],
      author: 'Ann',
    },
  ])
})

test('items without an address or any text are left out, those without a title get their first words', () => {
  const long = 'word '.repeat(60)
  const { items } = read(
    rss(`<item><title>no address</title></item><item><link>javascript:alert(1)</link><title>x</title></item>
<item><link>https://blog.example/2</link></item><item><link>https://blog.example/3</link><description>${long}</description></item>`),
  )
  expect(items.map(item => item.url)).toEqual(['https://blog.example/3'])
  expect(items[0]!.title).toMatch(/^(word ?){19,20}…$/)
})

test('at most so many items are read', () => {
  const many = Array.from(
    { length: 500 },
    (_, index) => `<item><title>t${index}</title><link>https://blog.example/${index}</link></item>`,
  )
  expect(read(rss(many.join(''))).items).toHaveLength(100)
})

test.each([
  ['a date that is none', '<pubDate>yesterday</pubDate>', undefined],
  ['a date without a zone', '<pubDate>2026-11-19T10:00:00Z</pubDate>', Date.UTC(2026, 10, 19, 10)],
  ['a date as RSS has it', '<pubDate>Thu, 19 Nov 2026 10:00:00 +0100</pubDate>', Date.UTC(2026, 10, 19, 9)],
])('%s', (_, date, published) => {
  expect(read(rss(`<item><title>t</title><link>https://blog.example/1</link>${date}</item>`)).items[0]!.published).toBe(
    published,
  )
})

test('documents with a type are refused; an article about document types is not', () => {
  const bomb = `<?xml version="1.0"?><!-- x --><!DOCTYPE lolz [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;">'.repeat(10)}]>`
  expect(() => read(rss('', bomb))).toThrow('A feed with a document type is not read')
  expect(() => read(rss('', '<!doctype rss SYSTEM "http://127.0.0.1/x.dtd">'))).toThrow(
    'A feed with a document type is not read',
  )
  const about =
    '<item><title>t</title><link>https://blog.example/1</link><description><![CDATA[<!DOCTYPE html> is how it begins]]></description></item>'
  expect(read(rss(about, '<?xml version="1.0"?>\n')).items).toHaveLength(1)
})

test('entities that nobody declared stay what they are', () => {
  const { items } = read(rss('<item><title>&amp;lol; &lol;</title><link>https://blog.example/1</link></item>'))
  expect(items[0]!.title).toContain('lol')
})

test('another encoding, invalid bytes and NUL do no harm', () => {
  const latin = Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>${rss('<item><title>Grüße\0</title><link>https://blog.example/1</link></item>')}`,
    'latin1',
  )
  expect(read(latin).items[0]!.title).toBe('Grüße')
  const invalid = Buffer.concat([
    Buffer.from('<rss version="2.0"><channel><title>t</title><item><title>a'),
    Buffer.from([0xff]),
    Buffer.from('b</title><link>https://blog.example/1</link></item></channel></rss>'),
  ])
  expect(read(invalid, 'application/xml; charset=utf-8').items[0]!.title).toBe('a\ufffdb')
})

test.each([
  '',
  '<',
  '<rss',
  '<rss version="2.0"><channel><item><title>x',
  '{}',
  '{"version":',
  'hello',
  '<a/>',
  '\0\0\0',
  '<feed xmlns="x">',
])('%j is no feed', text => {
  expect(() => read(text)).toThrow('It is no feed that can be read')
})

test('a feed of five megabytes with deep nesting and long names ends', { timeout: 60_000 }, () => {
  for (const text of [
    rss('<x>'.repeat(200_000)),
    rss(`<item><title>${'a'.repeat(4_000_000)}</title><link>https://blog.example/1</link></item>`),
    rss(`<item ${'a="b" '.repeat(200_000)}/>`),
    rss(
      `<item><title>t</title><link>https://blog.example/1</link><description><![CDATA[${'<b>'.repeat(50_000)}]]></description></item>`,
    ),
  ]) {
    try {
      expect(read(text).items.every(item => item.title.length <= 500)).toBe(true)
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(/It is no feed|Maximum call stack/) })
    }
  }
})
