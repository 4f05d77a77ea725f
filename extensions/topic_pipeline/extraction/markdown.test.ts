import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMarkdown } from './markdown.ts'
import { parseFragment } from './markup.ts'

function markdown(html: string, base = 'https://example.org/blog/post'): string {
  return toMarkdown(parseFragment(html), base)
}

test.each([
  ['<h1>One</h1><h3>Three <em>x</em></h3><h2> </h2>', '# One\n\n### Three *x*'],
  ['<p>a\n  b</p><p>c</p>', 'a b\n\nc'],
  ['a<br>b<br/>c', 'a\nb\nc'],
  ['<div><div>deep</div>text</div>', 'deep\n\ntext'],
  ['<p>a <b>bold </b>and<i> italic</i></p>', 'a **bold** and *italic*'],
  ['<p><del>gone</del> <code>x `y` z</code></p>', '~~gone~~ ``x `y` z``'],
  ['<a href="/x?a=(1)">link</a>', '[link](https://example.org/x?a=%281%29)'],
  ['<a href="javascript:alert(1)">link</a> <a href="#top">top</a> <a>none</a>', 'link top none'],
  ['<a href="/a"><h2>Title</h2><p>Text</p></a>', '## Title\n\nText'],
  [
    '<pre class="highlight"><code class="language-TypeScript">const a = 1\n\n  b()\n</code></pre>',
    '```typescript\nconst a = 1\n\n  b()\n```',
  ],
  ['<div class="highlight-source-shell"><pre>ls</pre></div>', '```shell\nls\n```'],
  ['<pre data-lang="c++">a<br>b</pre>', '```c++\na\nb\n```'],
  ['<pre>```\ninner\n```</pre>', '````\n```\ninner\n```\n````'],
  ['<ul><li>one<li>two<ul><li>nested</ul></ul>', '- one\n- two\n  - nested'],
  ['<ol start="3"><li>three</li><li><p>a</p><p>b</p></li></ol>', '3. three\n4. a\n\n   b'],
  ['<ul><li><pre>code\nmore</pre></li></ul>', '- ```\n  code\n  more\n  ```'],
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  [
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1|2</td><td><p>x</p></td></tr></table>',
    '| A | B |\n| --- | --- |\n| 1\\|2 | x |',
  ],
  ['<table><tr><td><h2>Layout</h2><p>text</p></td><td>more</td></tr></table>', '## Layout\n\ntext\n\nmore'],
  ['<table><tr></tr></table>', ''],
  ['<p>before</p><hr><p>after</p>', 'before\n\n---\n\nafter'],
  ['<dl><dt>Term</dt><dd>Meaning</dd></dl>', '**Term**\n\nMeaning'],
  ['<p>a<script>evil()</script><style>x{}</style><svg><text>t</text></svg></p>', 'a'],
  ['<p><img src="x.png" alt="A diagram"> <img src="y.png"></p>', 'A diagram'],
  ['<q>said</q>', '"said"'],
  ['<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>', '\\<script>alert(1)\\</script>'],
  ['<p>2 * 3 and *not emphasis* and `no code`</p>', '2 * 3 and \\*not emphasis\\* and \\`no code\\`'],
  [
    '<p># no heading</p><p>- no list</p><p>1. no list</p><p>&gt; no quote</p>',
    '\\# no heading\n\n\\- no list\n\n1\\. no list\n\n\\> no quote',
  ],
  ['<p>[a](http://evil.example)</p>', '[a\\](http://evil.example)'],
  ['&nbsp;&eacute;&#x1F600;', 'é😀'],
  ['a\0b', 'ab'],
  ['', ''],
])('%s', (html, text) => {
  expect(markdown(html)).toBe(text)
})

test('nothing in it is HTML any more, whatever went in', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<ul><li>',
      '</ul>',
      '<pre>',
      '</pre>',
      '<table><tr><td>',
      '</table>',
      '<a href="x">',
      '</a>',
      '<blockquote>',
      '&lt;img src=x onerror=alert(1)&gt;',
      '&lt;/div&gt;',
      '<code>',
      '</code>',
      '<!--',
      '-->',
      '<script>',
      '</script>',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const outsideCode = markdown(pieces.join(''))
        .replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
        .replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
      expect(outsideCode).not.toMatch(/(?<!\\)<[a-z/!?]/i)
    }),
  )
})
