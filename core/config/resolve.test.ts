// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what these texts are about
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from './fault.ts'
import { findReference } from './find-reference.ts'
import { ScalarNode, toPlain } from './node.ts'
import { type ResolveOptions, resolve } from './resolve.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

async function plain(uris: readonly string[], options: ResolveOptions = {}): Promise<unknown> {
  return toPlain((await resolve(uris, { env: {}, ...options })).root)
}

async function failure(uris: readonly string[], options: ResolveOptions = {}): Promise<ConfigError> {
  const error = await resolve(uris, { env: {}, ...options }).catch(reason => reason)
  expect(error).toBeInstanceOf(ConfigError)
  return error
}

describe('a source', () => {
  test.each([
    ['/test', '/test'],
    ['file:/test', '/test'],
    ['c:\\test', 'c:\\test'],
    ['file:c:\\test', 'c:\\test'],
    ['relative.yaml', 'relative.yaml'],
  ])('%s is the file %s', async (uri, path) => {
    expect(await plain([uri], { readFile: async asked => `path: '${asked}'` })).toEqual({ path })
  })

  test.each([
    ['LL:\\test', 'unsupported scheme on URI "LL:"'],
    ['s_3:has invalid char', 'invalid uri: "s_3:has invalid char"'],
    ['vault:secret/one', 'unsupported scheme on URI "vault:"'],
  ])('%s is refused', async (uri, message) => {
    expect((await failure([uri])).message).toBe(message)
  })

  test('may hold line breaks', async () => {
    expect(await plain(['yaml:receivers:\n nop:\n'])).toEqual({ receivers: { nop: null } })
  })

  test('is needed', async () => {
    expect((await failure([])).message).toBe('at least one config flag must be provided')
  })

  test('that is missing is told by name, and all of them at once', async () => {
    const { message } = await failure([join(folder, 'no-1'), join(folder, 'no-2')])
    expect(message.split('\n')).toEqual(
      ['no-1', 'no-2'].map(
        name =>
          `cannot retrieve the configuration: unable to read the file file:${join(folder, name)}: no such file or directory`,
      ),
    )
  })

  test('that is a folder is told so', async () => {
    expect((await failure([folder])).message).toMatch(/illegal operation on a directory/)
  })

  test('that has no end is given up', async () => {
    expect((await failure(['/dev/zero'])).message).toMatch(/the document is larger than \d+ bytes/)
  })

  test('may be a variable, also an unset one', async () => {
    expect(await plain(['env:CONFIG'], { env: { CONFIG: 'a: {b: 1}' } })).toEqual({ a: { b: 1 } })
    expect(await plain(['env:CONFIG'])).toEqual({})
  })

  test.each([
    ['string', '1:1  retrieved value (type=string) cannot be used as a Conf'],
    ['[1, 2]', '1:1  retrieved value (type=[]interface {}) cannot be used as a Conf'],
    [
      '[invalid,',
      '1:10  retrieved value (type=string) cannot be used as a Conf: assuming string type since contents are not valid YAML: flow sequence must end with a ]',
    ],
    [
      'a: 1\nb: [\n',
      '3:1  retrieved value (type=string) cannot be used as a Conf: assuming string type since contents are not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'a: 1\na: 2',
      '2:1  retrieved value (type=string) cannot be used as a Conf: assuming string type since contents are not valid YAML: mapping key "a" already defined at line 1',
    ],
  ])('that holds %j is refused with a position', async (text, message) => {
    const path = await file('bad.yaml', text)
    expect((await failure([path])).message).toBe(`${path}:${message}`)
  })

  test('is read as UTF-8 with or without a byte order mark and with either line ending', async () => {
    expect(await plain([await file('bom.yaml', '\ufeffa: "é"\r\nb: 2\r\n')])).toEqual({ a: 'é', b: 2 })
  })
})

describe('file snippets', () => {
  test('come through nested references, and keep their own positions', async () => {
    await file('pipelines.yaml', 'logs:\n  receivers: ${env:RECEIVERS}\n  exporters: ${env:EXPORTERS}\n')
    const main = await file(
      'main.yaml',
      'receivers:\n  nop:\nservice:\n  pipelines: ${file:${env:BASE}/pipelines.yaml}\n',
    )
    const env = { BASE: folder, RECEIVERS: '[nop, otlp]', EXPORTERS: '[otlp, nop]' }
    const { root } = await resolve([main], { env })
    expect(toPlain(root)).toEqual({
      receivers: { nop: null },
      service: { pipelines: { logs: { receivers: ['nop', 'otlp'], exporters: ['otlp', 'nop'] } } },
    })
    const snippet = join(folder, 'pipelines.yaml')
    expect(root.get('service::pipelines')!.origin).toEqual({ file: main, line: 4, column: 14, via: snippet })
    expect(root.get('service::pipelines::logs')!.origin).toEqual({ file: snippet, line: 1, column: 1 })
    expect(root.get('service::pipelines::logs::receivers')!.origin).toEqual({
      file: snippet,
      line: 2,
      column: 14,
      via: 'env:RECEIVERS',
    })
  })

  test('may hold a bad reference in a comment', async () => {
    const snippet = await file('snippet.yaml', '# ${hello.world}\ndebug:\n  verbosity: detailed\n')
    const main = await file('main2.yaml', `exporters:\n  \${file:${snippet}}\n`)
    expect(await plain([main])).toEqual({ exporters: { debug: { verbosity: 'detailed' } } })
  })
})

describe('variables', () => {
  test.each([
    ['${env:MY_VAR:-default % value}', undefined, 'default % value'],
    ['${env:MY_VAR:-}', undefined, ''],
    ['${env:MY_VAR:-foo}', '', null],
    ['${env:MY_VAR:-}', 'value', 'value'],
    ['${env:MY_VAR:-test:-test}', undefined, 'test:-test'],
    ['${env:MY_VAR:-[1, 0x10]}', undefined, [1, 16]],
    ['${env:MY_VAR}', '[invalid,', '[invalid,'],
  ])('%s when it is %j gives %j', async (reference, MY_VAR, expected) => {
    expect(await plain([`yaml:field: '${reference}'`], { env: { MY_VAR } })).toEqual({ field: expected })
  })

  test.each(['env:-MY_VAR', 'env:default%config', 'env:1X', 'env:'])('%s has an invalid name', async uri => {
    const { message } = await failure([`yaml:a: "\${${uri}}"`])
    expect(message).toContain('has invalid name: must match regex ^[a-zA-Z_][a-zA-Z0-9_]*$')
  })

  test('that are empty are worth an information, unset ones a warning, each once', async () => {
    const { warnings } = await resolve(['yaml:a: ${E} ${E}\nb: ${U}\nc: ${U}\nd: ${env:U:-x}'], {
      env: { E: '' },
    })
    expect(warnings).toMatchObject([
      { level: 'info', message: 'Configuration references empty environment variable', fields: { name: 'E' } },
      { level: 'warn', message: 'Configuration references unset environment variable', fields: { name: 'U' } },
    ])
  })

  test('do not reach into the prototype of the environment', async () => {
    expect(await plain(['yaml:a: ${constructor}'])).toEqual({ a: null })
  })
})

describe('http', () => {
  test('a document is fetched; any other status than 200 is refused; credentials are never shown', async () => {
    const server = createServer((request, answer) => {
      if (request.url?.startsWith('/config')) answer.end('a: {b: 1}\n')
      else
        answer.writeHead(request.url === '/endless' ? 200 : 404).end('x'.repeat(request.url === '/endless' ? 5e6 : 0))
    })
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as { port: number }
    try {
      const { root } = await resolve([`http://127.0.0.1:${port}/config?token=hush`], { env: {} })
      expect(toPlain(root)).toEqual({ a: { b: 1 } })
      expect(root.get('a::b')!.origin).toEqual({ file: `http://127.0.0.1:${port}/config`, line: 1, column: 8 })
      expect((await failure([`http://127.0.0.1:${port}/other?token=hush`])).message).toBe(
        `cannot retrieve the configuration: failed to load resource from uri "http://127.0.0.1:${port}/other". status code: 404`,
      )
      expect((await failure([`http://127.0.0.1:${port}/endless`])).message).toMatch(/larger than \d+ bytes/)
      expect((await failure(['http://127.0.0.1:1/x?token=hush'])).message).not.toContain('hush')
    } finally {
      server.close()
    }
  })

  test('https goes through the given fetch', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return new Response('timeout: 2s')
    }
    expect(await plain(['yaml:a: ${https://user:pw@host/x}'], { fetch })).toEqual({ a: { timeout: '2s' } })
    expect(asked).toEqual(['https://user:pw@host/x'])
  })
})

describe('--set', () => {
  test.each([
    ['key=value', { key: 'value' }],
    ['outer.inner=value', { outer: { inner: 'value' } }],
    ['key=[a, b, c]', { key: ['a', 'b', 'c'] }],
    ['key={a: c}', { key: { a: 'c' } }],
    [' a.b = x=y ', { a: { b: 'x=y' } }],
    ['a.b=', { a: { b: null } }],
    ['a=${env:X}', { a: 5 }],
  ])('%s', async (item, expected) => {
    expect(await plain(['yaml:'], { sets: [item], env: { X: '5' } })).toEqual(expected)
  })

  test('wins over every source, the last item over the others', async () => {
    expect(await plain(['yaml:a: 1', 'yaml:a: 2'], { sets: ['a=3', 'a=4'] })).toEqual({ a: 4 })
  })

  test('needs an equal sign', async () => {
    const { message } = await failure(['yaml:a: 1'], { sets: ['key:name'] })
    expect(message).toBe('invalid value "key:name" for flag -set: missing equal sign')
  })

  test('never shows its value in a fault', async () => {
    const { message } = await failure(['yaml:a: 1'], { sets: ['a.password=${nope:x} hush', 'b={hush'] })
    expect(message).toContain('--set b:1:')
    expect(message).not.toContain('hush')
  })
})

test('one reference is read once in a resolution', async () => {
  let reads = 0
  const providers = {
    count: () => ({ node: new ScalarNode(++reads), text: String(reads) }),
  }
  expect(await plain(['yaml:a: ${count:x}\nb: ${count:x}\nc: ${count:y}'], { providers })).toEqual({ a: 1, b: 1, c: 2 })
})

test('expansion ends for every text of references', async () => {
  const piece = fc.constantFrom('${env:A}', '${env:B}', '$', '{', '}', '$$', '${', 'x', ':', '"', '[', ']', ' ')
  const text = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, written) => {
      const result = await resolve([`yaml:field: ${JSON.stringify(written)}`], { env: { A: a, B: b } }).catch(e => e)
      if (result instanceof Error) expect(result).toBeInstanceOf(ConfigError)
    }),
    { numRuns: 40 },
  )
}, 60_000)

test('any text is a configuration or a fault', async () => {
  const piece = fc.constantFrom(
    'a',
    'b::c',
    ': ',
    '\n',
    '\n  ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '${',
    '${env:A}',
    '"',
    '&x ',
    '*x',
    '<<: ',
    '::',
    '~',
    '#',
  )
  const text = fc.array(piece, { maxLength: 20 }).map(pieces => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (a, written) => {
      const result = await resolve([`yaml:${written}`, 'yaml:a: {b: 1}'], { env: { A: a } }).catch(error => error)
      if (result instanceof Error) expect(result).toBeInstanceOf(ConfigError)
      else expect(result.root.kind).toBe('map')
    }),
    { numRuns: 300 },
  )
})

test('what is found as a reference is a part of the text in braces without braces inside', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('$', '{', '}', ':', 'a')), fc.boolean(), (chars, anyName) => {
      const text = chars.join('')
      const found = findReference(text, anyName)
      if (found === undefined) return
      expect(text).toContain(found)
      expect(found).toMatch(/^\$\{[^}]*\}$/)
      expect(found.lastIndexOf('${')).toBe(0)
    }),
  )
})
