import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { resolve, toPlain } from '#core/config'
import { sourcesOf } from './sources-of.ts'

const READERS = { metrics: { readers: [{}] } }

async function read(config: string | URL | object, quiet = false) {
  const { sources = [], ...from } = sourcesOf(config, { A: 'a' }, quiet)
  const readFile = async (path: string) => `file: ${path}`
  return toPlain((await resolve(sources, { readFile, ...from.resolve, env: from.env! })).root)
}

test.each<[string, string | URL | object, object]>([
  ['text of several lines', 'a:\n  b: 1', { a: { b: 1 } }],
  ['text in braces', ' {a: {b: 1}}', { a: { b: 1 } }],
  ['a path', 'dir/a b.yaml', { file: 'dir/a b.yaml' }],
  ['a URI', 'file:/a.yaml', { file: '/a.yaml' }],
  ['inline YAML as a URI', 'yaml:a: 1', { a: 1 }],
  ['a URL', pathToFileURL('/a b.yaml'), { file: '/a b.yaml' }],
  ['an object', { a: { b: [1n, null, { c: true }] } }, { a: { b: [1n, null, { c: true }] } }],
  ['an object with references', { a: 'is $' + '{env:A}' }, { a: 'is a' }],
  ['an object with keys that are not written', { a: 1, b: undefined, c: [{ d: undefined }] }, { a: 1, c: [{}] }],
])('%s', async (_, config, expected) => {
  expect(await read(config)).toEqual({ service: { telemetry: { logs: { level: 'warn' }, ...READERS } }, ...expected })
})

test('a program that takes the log gets all of it, and standard error nothing', async () => {
  expect(await read({}, true)).toEqual({
    service: { telemetry: { logs: { level: 'info', output_paths: [] }, ...READERS } },
  })
})

test('what the configuration says of own telemetry stays', async () => {
  const metrics = { readers: [{ pull: {} }] }
  expect(await read({ service: { telemetry: { logs: { level: 'debug' }, metrics } } })).toEqual({
    service: { telemetry: { logs: { level: 'debug' }, metrics } },
  })
})
