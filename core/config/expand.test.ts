// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what these texts are about
import { describe, expect, test } from 'vitest'
import { check } from './check.ts'
import { MapNode, toPlain } from './node.ts'
import { type ResolveOptions, resolve } from './resolve.ts'
import { retrievedText } from './retrieved.ts'
import { type Schema, t } from './schema.ts'

/** Resolves one value, written as a double-quoted YAML text, and gives what it became. */
async function expand(value: string, options: ResolveOptions = {}): Promise<unknown> {
  const { root } = await resolve([`yaml:field: ${JSON.stringify(value)}`], { env: ENV, ...options })
  return toPlain(root.get('field')!)
}

const ENV = {
  COMPLEX_VALUE: '[localhost:3042]',
  HOST: 'localhost',
  TIMESTAMP: '2023-03-20T03:17:55.432328Z',
  OS: 'ubuntu',
  PR: 'amd',
  PORT: '3044',
  INT: '1',
  FLOAT: '3.25',
  BOOL: 'true',
}

/** A provider whose values are their own names, as the Collector's tests use one. */
const providers = {
  echo: ({ opaque }: { opaque: string }) => retrievedText(opaque, 'echo:'),
}

describe('references in a text, with and without a scheme for bare names', () => {
  const both = [
    ['${env:COMPLEX_VALUE}', ['localhost:3042']],
    ['${env:HOST}:3043', 'localhost:3043'],
    ['${env:HOST}:${env:PORT}', 'localhost:3044'],
    ['https://${env:HOST}:3045', 'https://localhost:3045'],
    ['test_${env:INT}', 'test_1'],
    ['test_${env:FLOAT}', 'test_3.25'],
    ['test_${env:BOOL}', 'test_true'],
    ['test_${env:TIMESTAMP}', 'test_2023-03-20T03:17:55.432328Z'],
    ['test_${env:BOOL}_test_${env:BOOL}', 'test_true_test_true'],
    ['${echo:localhost:${env:PORT}}', 'localhost:3044'],
    ['${echo:${env:HOST}:${env:PORT}}', 'localhost:3044'],
    ['${echo:localhost:${env:PORT}}?os=${env:OS}', 'localhost:3044?os=ubuntu'],
    ['${echo:1${echo:2${echo:3${echo:4${echo:5${echo:6}}}}}}', '123456'],
    ['env:HOST}', 'env:HOST}'],
    ['${HOST', '${HOST'],
    ['HO{ST}', 'HO{ST}'],
    ['${env:HOST${env:PORT?os=${env:OS', '${env:HOST${env:PORT?os=${env:OS'],
    ['env:HOST}env:PORT}?os=env:OS}', 'env:HOST}env:PORT}?os=env:OS}'],
    ['env:HOST}${env:PORT', 'env:HOST}${env:PORT'],
    ['env:HOST}${env:PORT}', 'env:HOST}3044'],
    ['${env:HOST}env:PORT}', 'localhostenv:PORT}'],
    ['${env:HOST${env:PORT}', '${env:HOST3044'],
    ['${env:HOST}${env:PORT', 'localhost${env:PORT'],
    ['env:HOST}env:PORT}?os=${env:OS}', 'env:HOST}env:PORT}?os=ubuntu'],
    ['${env:HOST${env:PORT?os=${env:OS}', '${env:HOST${env:PORT?os=ubuntu'],
    ['${env:HOST}}}}}}${env:PORT?os=${env:OS}', 'localhost}}}}}${env:PORT?os=ubuntu'],
    ['${env:HOST}${${${${${env:PORT}?os=${env:OS}', 'localhost${${${${3044?os=ubuntu'],
    ['env:HOST}${env:PORT}?os=env:OS}&pr=${env:PR}', 'env:HOST}3044?os=env:OS}&pr=amd'],
    ['${env:HOST${env:PORT}?os=${env:OS&pr=${env:PR}', '${env:HOST3044?os=${env:OS&pr=amd'],
  ] as const
  test.each(both)('%s is %j either way', async (value, expected) => {
    expect(await expand(value, { providers })).toEqual(expected)
    expect(await expand(value, { providers, defaultScheme: '' })).toEqual(expected)
  })

  const different = [
    ['${HOST}:${PORT}', 'localhost:3044', '${HOST}:${PORT}'],
    ['${HOST}:$PORT', 'localhost:$PORT', '${HOST}:$PORT'],
    ['${env:HOST}:${PORT}', 'localhost:3044', 'localhost:${PORT}'],
    ['${echo:localhost:${PORT}}', 'localhost:3044', '${echo:localhost:${PORT}}'],
    ['${echo:${HOST}:${PORT}}', 'localhost:3044', '${echo:${HOST}:${PORT}}'],
    ['${HOST}${env:PORT}', 'localhost3044', '${HOST}3044'],
    ['${env:HOST}${PORT}', 'localhost3044', 'localhost${PORT}'],
    ['env:HOST}${PORT}', 'env:HOST}3044', 'env:HOST}${PORT}'],
  ] as const
  test.each(different)('%s is %j, or %j without a default scheme', async (value, withScheme, without) => {
    expect(await expand(value, { providers })).toEqual(withScheme)
    expect(await expand(value, { providers, defaultScheme: '' })).toEqual(without)
  })
})

describe('escaped references', () => {
  const env = {
    ENV_VALUE: 'some expanded value',
    ENV_LIST: "['$$ESCAPE_ME','$${ESCAPE_ME}','$${env:ESCAPE_ME}']",
    ENV_MAP: "{'key1':'$$ESCAPE_ME','key2':'$${ESCAPE_ME}','key3':'$${env:ESCAPE_ME}'}",
    ENV_NESTED_DOLLARSIGN: 'here is 1 $$',
    ENV_NESTED_DOLLARSIGN_ESCAPED: 'here are 2 $$$',
    ENV_EXPAND_NESTED: '${env:ENV_VALUE} came from nested expansion',
  }
  /** What is written, what it becomes, and what it becomes when bare names have no scheme, where that differs. */
  const table: readonly [string, unknown, unknown?][] = [
    ['$$ENV_VALUE', '$ENV_VALUE'],
    ['$$$$ENV_VALUE', '$$ENV_VALUE'],
    ['$$${ENV_VALUE}', '$some expanded value', '$${ENV_VALUE}'],
    ['some${ENV_VALUE}text', 'somesome expanded valuetext', 'some${ENV_VALUE}text'],
    ['some$${ENV_VALUE}text', 'some${ENV_VALUE}text'],
    ['$${ONE}$${TWO}', '${ONE}${TWO}'],
    ['text$$', 'text$'],
    ['$$', '$'],
    ['$${1}$${env:2}', '${1}${env:2}'],
    ['some$${env:ENV_VALUE}text', 'some${env:ENV_VALUE}text'],
    ['$${env:${ENV_VALUE}}', '${env:some expanded value}', '${env:${ENV_VALUE}}'],
    ['$${env:$${ENV_VALUE}}', '${env:${ENV_VALUE}}'],
    ['env:MAP_VALUE_2}$${ENV_VALUE}{', 'env:MAP_VALUE_2}${ENV_VALUE}{'],
    ['$$${env:ENV_VALUE}', '$some expanded value'],
    ['$ENV_VALUE', '$ENV_VALUE'],
    ['${env:ENV_LIST}', ['$ESCAPE_ME', '${ESCAPE_ME}', '${env:ESCAPE_ME}']],
    ['${env:ENV_MAP}', { key1: '$ESCAPE_ME', key2: '${ESCAPE_ME}', key3: '${env:ESCAPE_ME}' }],
    ['${env:ENV_NESTED_DOLLARSIGN}', 'here is 1 $'],
    ['${env:ENV_NESTED_DOLLARSIGN_ESCAPED}', 'here are 2 $$'],
    ['${env:ENV_EXPAND_NESTED}', 'some expanded value came from nested expansion'],
    ['${env:UNDEFINED_KEY:-default_value}', 'default_value'],
    ['${env:UNDEFINED_KEY:-$${env:UNDEFINED_KEY}}', '${env:UNDEFINED_KEY:-${env:UNDEFINED_KEY}}'],
    ['$${A} ${env:ENV_VALUE}', '${A} ${env:ENV_VALUE}', '${A} some expanded value'],
  ]
  test.each(table)('%s becomes %j', async (value, expected, without = expected) => {
    expect(await expand(value, { env })).toEqual(expected)
    expect(await expand(value, { env, defaultScheme: '' })).toEqual(without)
  })
})

describe('the type of what a variable brings', () => {
  const targets: { readonly [target: string]: Schema<unknown> } = {
    int: t.integer({ description: 'a' }),
    string: t.string({ description: 'a' }),
    bool: t.boolean({ description: 'a' }),
    list: t.list(t.any({ description: 'a' }), { description: 'a' }),
  }
  const INLINE = 'inline field with ${env:ENV} expansion'
  const inline = (text: string) => `inline field with ${text} expansion`

  async function receive(value: string, target: string, indirect: boolean): Promise<unknown> {
    const env = indirect
      ? { ENV: '${env:ENV2}', ENV2: value, ENV_VALUE: 'testreceiver' }
      : { ENV: value, ENV_VALUE: 'testreceiver' }
    const field = target === 'inline' ? JSON.stringify(INLINE) : '${env:ENV}'
    const { root } = await resolve([`yaml:field: ${field}`], { env })
    const checked = check(targets[target === 'inline' ? 'string' : target]!, root.get('field'), ['field'])
    return checked.faults ? { fault: checked.faults.map(fault => fault.message).join('\n') } : checked.value
  }

  const unconvertible = (expected: string, got: string) => ({
    fault: `expected type '${expected}', got unconvertible type '${got}'`,
  })
  const table: readonly [string, string, unknown][] = [
    ['123', 'int', 123],
    ['123', 'string', '123'],
    ['123', 'inline', inline('123')],
    ['0123', 'int', 83],
    ['0123', 'string', '0123'],
    ['0123', 'inline', inline('0123')],
    ['0xdeadbeef', 'int', 3735928559],
    ['0xdeadbeef', 'string', '0xdeadbeef'],
    ['0xdeadbeef', 'inline', inline('0xdeadbeef')],
    ['"0123"', 'string', '"0123"'],
    ['"0123"', 'int', unconvertible('int', 'string')],
    ['"0123"', 'inline', inline('"0123"')],
    ['!!str 0123', 'string', '!!str 0123'],
    ['!!str 0123', 'inline', inline('!!str 0123')],
    ['t', 'bool', unconvertible('bool', 'string')],
    ['23', 'bool', unconvertible('bool', 'int')],
    ['{"field": 123}', 'inline', inline('{"field": 123}')],
    ['1111:1111:1111:1111:1111::', 'inline', inline('1111:1111:1111:1111:1111::')],
    ['1111:1111:1111:1111:1111::', 'string', '1111:1111:1111:1111:1111::'],
    ['2006-01-02T15:04:05Z07:00', 'string', '2006-01-02T15:04:05Z07:00'],
    ['2006-01-02T15:04:05Z07:00', 'inline', inline('2006-01-02T15:04:05Z07:00')],
    ['2023-03-20T03:17:55.432328Z', 'string', '2023-03-20T03:17:55.432328Z'],
    ['2023-03-20T03:17:55.432328Z', 'inline', inline('2023-03-20T03:17:55.432328Z')],
    ['true # comment with a ${env:hello.world} reference', 'bool', true],
    ['true # comment with a ${env:hello.world} reference', 'string', unconvertible('string', 'bool')],
    ['["a",', 'string', '["a",'],
    ['["a",', 'inline', inline('["a",')],
    ['[filelog,windowseventlog/application]', 'list', ['filelog', 'windowseventlog/application']],
    ['[filelog,windowseventlog/application]', 'string', '[filelog,windowseventlog/application]'],
    ['[filelog,windowseventlog/application]', 'inline', inline('[filelog,windowseventlog/application]')],
    ['$$ENV', 'string', '$ENV'],
    ['$$ENV', 'inline', inline('$ENV')],
    ['$${ENV}', 'string', '${ENV}'],
    ['$${ENV}', 'inline', inline('${ENV}')],
    ['$${env:ENV}', 'string', '${env:ENV}'],
    ['$${env:ENV}', 'inline', inline('${env:ENV}')],
    ['[filelog,${env:ENV_VALUE}]', 'string', '[filelog,testreceiver]'],
    ['[filelog,${ENV_VALUE}]', 'string', '[filelog,testreceiver]'],
    ['["filelog","$${env:ENV_VALUE}"]', 'string', '["filelog","${env:ENV_VALUE}"]'],
    ['["filelog","$${ENV_VALUE}"]', 'string', '["filelog","${ENV_VALUE}"]'],
    ['["filelog","$$ENV_VALUE"]', 'string', '["filelog","$ENV_VALUE"]'],
    ['["filelog","$ENV_VALUE"]', 'string', '["filelog","$ENV_VALUE"]'],
  ]
  test.each(table)('ENV=%s as %s is %j', async (value, target, expected) => {
    expect(await receive(value, target, false)).toEqual(expected)
    expect(await receive(value, target, true)).toEqual(expected)
  })

  test('a reference in a comment of a variable that is spliced in is expanded, and fails when it cannot be', async () => {
    await expect(receive('true # ${env:hello.world}', 'inline', false)).rejects.toThrow(
      'field: environment variable "hello.world" has invalid name: must match regex ^[a-zA-Z_][a-zA-Z0-9_]*$',
    )
  })

  test('an unset variable is null, the zero value for a number, and the empty text for a string', async () => {
    const { root, warnings } = await resolve(['yaml:field: ${env:NOT_SET}'], { env: {} })
    expect(toPlain(root)).toEqual({ field: null })
    expect(check(targets.int!, root.get('field')).value).toBe(0)
    expect(check(targets.string!, root.get('field')).value).toBe('')
    expect(check(targets.bool!, root.get('field')).value).toBe(false)
    expect(warnings).toMatchObject([
      { level: 'warn', message: 'Configuration references unset environment variable', fields: { name: 'NOT_SET' } },
    ])
  })
})

describe('references within what references bring', () => {
  test.each([
    ['123', 'The value The value 123 is wrapped is wrapped'],
    ['opentelemetry', 'The value The value opentelemetry is wrapped is wrapped'],
  ])('texts wrap texts around %s', async (innermost, expected) => {
    const env = { ENV: 'The value ${env:ENV2} is wrapped', ENV2: 'The value ${env:ENV3} is wrapped', ENV3: innermost }
    expect(await expand('${env:ENV}', { env })).toBe(expected)
    expect(await expand('inline field with ${env:ENV} expansion', { env })).toBe(
      `inline field with ${expected} expansion`,
    )
  })

  test('maps in maps are expanded, and their source text as text', async () => {
    const env = {
      ENV: '{env: "${env:ENV2}", inline: "inline ${env:ENV2}"}',
      ENV2: '{env2: "${env:ENV3}"}',
      ENV3: '{value: 123}',
    }
    const { root } = await resolve(['yaml:field: ${env:ENV}'], { env })
    const field = root.get('field')!
    expect(toPlain(field)).toEqual({ env: { env2: { value: 123 } }, inline: 'inline {env2: "{value: 123}"}' })
    expect(field.original).toBe('{env: "{env2: "{value: 123}"}", inline: "inline {env2: "{value: 123}"}"}')
  })

  test('a comment before a map is part of its source text, and references in it are expanded', async () => {
    const env = {
      ENV: '# a comment with ${EXPAND_ME}\ndebug:\n  verbosity: detailed',
      EXPAND_ME: 'an expanded env var',
    }
    const { root } = await resolve(['yaml:field: ${env:ENV}'], { env })
    expect(toPlain(root)).toEqual({ field: { debug: { verbosity: 'detailed' } } })
    expect(root.get('field')!.original).toBe('# a comment with an expanded env var\ndebug:\n  verbosity: detailed')
  })

  test.each([
    ['a text that is itself', '${env:LOOP}', 'too many recursive expansions'],
    ['a text that doubles itself', '${env:LOOP} ${env:LOOP}', 'expansions make the configuration too large'],
    ['a list that holds itself', '["${env:LOOP}"]', /too many recursive expansions|too large/],
    [
      'a map that holds itself twice',
      '{a: "${env:LOOP}", b: "${env:LOOP}"}',
      /too many recursive expansions|too large/,
    ],
  ])('%s ends with a fault', async (_, LOOP, message) => {
    await expect(expand('${env:LOOP}', { env: { LOOP } })).rejects.toThrow(message)
  })
})

describe('strings inside lists and maps take the source text', () => {
  const env = { VALUE: '1234' }
  const any = t.any({ description: 'a' })
  const string = t.string({ description: 'a' })
  const o = { description: 'a' }
  const table: readonly [string, Schema<unknown>, unknown][] = [
    ['{key: "${env:VALUE}"}', t.map(t.secret(o), o), { key: '1234' }],
    ['["${env:VALUE}"]', t.list(string, o), ['1234']],
    ['["${env:VALUE}"]', t.list(any, o), [1234]],
    ['[key: ["${env:VALUE}"]]', t.list(t.map(t.list(string, o), o), o), [{ key: ['1234'] }]],
    ['[key: ["${env:VALUE}"]]', t.list(t.map(t.list(any, o), o), o), [{ key: [1234] }]],
  ]
  test.each(table)('%s', async (yaml, schema, expected) => {
    const { root } = await resolve([`yaml:field: ${yaml}`], { env })
    expect(check(schema, root.get('field')).value).toEqual(expected)
  })
})

describe('what cannot be expanded', () => {
  test.each([
    ['${echo:$VALUE}', `the uri "echo:$VALUE" contains unsupported characters ('$')`],
    ['${unsupported:VALUE}', 'scheme "unsupported" is not supported for uri "unsupported:VALUE"'],
    ['${g_c_s:VALUE}', 'invalid uri: "g_c_s:VALUE"'],
    ['${file:/does/not/exist}', 'unable to read the file file:/does/not/exist: no such file or directory'],
  ])('%s: %s', async (value, message) => {
    await expect(expand(value, { providers })).rejects.toThrow(`yaml:field:1:8  field: ${message}`)
    await expect(expand(`a ${value} b`, { providers })).rejects.toThrow(message)
  })

  test('all faults are told at once, each with its position', async () => {
    const yaml = 'yaml:a: ${nope:1}\nb:\n  c: [1, "${nope:2}"]\n'
    const error = await resolve([yaml], { env: {} }).catch(reason => reason)
    expect(error.message.split('\n')).toEqual([
      'yaml:a:1:4  a: scheme "nope" is not supported for uri "nope:1"',
      'yaml:a:3:3  b::c: scheme "nope" is not supported for uri "nope:2"',
    ])
    expect(error.stage).toBe('resolve')
  })

  test('keys are never expanded', async () => {
    const { root } = await resolve(['yaml:"${env:HOST}": 1'], { env: ENV })
    expect(root).toBeInstanceOf(MapNode)
    expect(toPlain(root)).toEqual({ '${env:HOST}': 1 })
  })
})
