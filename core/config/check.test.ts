import { describe, expect, test } from 'vitest'
import { type Checked, check } from './check.ts'
import { ConfigError } from './fault.ts'
import { fromPlain } from './node.ts'
import { type Schema, t } from './schema.ts'
import { parseYamlNode } from './yaml-parse.ts'

const o = { description: 'What it is for.' }

function read<T>(schema: Schema<T>, yaml: string, path: readonly string[] = []): Checked<T> {
  return check(schema, parseYamlNode(yaml, 'c.yaml'), path)
}

/** The value, or the faults as the command line prints them. */
function outcome(schema: Schema<unknown>, yaml: string, path?: readonly string[]): unknown {
  const checked = read(schema, yaml, path)
  return checked.faults ? new ConfigError(checked.faults).message.split('\n') : checked.value
}

describe('each word of the vocabulary', () => {
  const table: readonly [string, Schema<unknown>, string, unknown][] = [
    ['string', t.string(o), 'text', 'text'],
    ['string', t.string(o), '5', "expected type 'string', got unconvertible type 'int'"],
    ['string', t.string(o), '[a]', "expected type 'string', got unconvertible type '[]interface {}'"],
    ['string', t.string({ ...o, minLength: 1 }), '""', 'must not be empty'],
    ['string', t.string({ ...o, minLength: 3 }), 'ab', 'must have at least 3 characters'],
    ['string', t.string({ ...o, pattern: '^a' }), 'b', 'must match ^a, got "b"'],
    ['integer', t.integer(o), '5', 5],
    ['integer', t.integer(o), '1e3', 1000],
    ['integer', t.integer(o), '9223372036854775807', 2 ** 63],
    ['integer', t.integer(o), '1.5', 'must be a whole number, got 1.5'],
    ['integer', t.integer(o), '"5"', "expected type 'int', got unconvertible type 'string'"],
    ['integer', t.integer({ ...o, minimum: 0 }), '-1000', 'must be at least 0, got -1000'],
    ['integer', t.integer({ ...o, maximum: 10 }), '11', 'must be at most 10, got 11'],
    ['number', t.number(o), '5', 5],
    ['number', t.number(o), '.5', 0.5],
    ['number', t.number(o), '.nan', 'must be a finite number, got NaN'],
    ['number', t.number(o), 'x', "expected type 'float64', got unconvertible type 'string'"],
    ['boolean', t.boolean(o), 'true', true],
    ['boolean', t.boolean(o), 'yes', "expected type 'bool', got unconvertible type 'string'"],
    ['boolean', t.boolean(o), '1', "expected type 'bool', got unconvertible type 'int'"],
    ['duration', t.duration(o), '1m30s', 90_000],
    ['duration', t.duration(o), '5000000', 5],
    ['duration', t.duration(o), '0', 0],
    ['duration', t.duration(o), '"5"', 'time: missing unit in duration "5"'],
    ['duration', t.duration(o), 'soon', 'time: invalid duration "soon"'],
    ['duration', t.duration(o), '-1s', 'must not be negative, got -1s'],
    ['duration', t.duration(o), '1.5', "expected type 'time.Duration', got unconvertible type 'float64'"],
    ['bytes', t.bytes(o), '4MiB', 4_194_304],
    ['bytes', t.bytes(o), '20971520', 20_971_520],
    ['bytes', t.bytes(o), '-1', 'must not be negative, got -1'],
    ['bytes', t.bytes(o), '1.5', 'must be a whole number, got 1.5'],
    ['bytes', t.bytes(o), '[]', "expected type 'int', got unconvertible type '[]interface {}'"],
    ['bytes', t.bytes(o), 'big', 'invalid size "big": must be a number of bytes or have a unit, as in 64KiB or 4MiB'],
    ['endpoint', t.endpoint(o), 'localhost:4317', 'localhost:4317'],
    ['endpoint', t.endpoint(o), '"[::1]:4317"', '[::1]:4317'],
    ['regexp', t.regexp(o), '^a[bc]$', '^a[bc]$'],
    ['regexp', t.regexp(o), '"("', 'is not a regular expression: Unterminated group'],
    ['oneOf', t.oneOf(['basic', 'normal'], o), 'basic', 'basic'],
    [
      'oneOf',
      t.oneOf(['basic', 'normal'], o),
      'nomal',
      'must be one of "basic", "normal", got "nomal" (did you mean "normal"?)',
    ],
    ['oneOf', t.oneOf(['basic', 'normal'], { ...o, anyCase: true }), 'Normal', 'normal'],
    ['oneOf', t.oneOf([1, 2], o), '2', 2],
    ['oneOf', t.oneOf([1, 2], o), '3', 'must be one of 1, 2, got 3'],
    ['oneOf', t.oneOf(['a'], o), '[hush]', 'must be one of "a", got []interface {}'],
    ['oneOf', t.oneOf(['a'], o), '9007199254740993', 'must be one of "a", got 9007199254740993'],
    ['any', t.any(o), '{a: [1, null, x]}', { a: [1, null, 'x'] }],
    ['any', t.any(o), '9007199254740993', 9007199254740993n],
    ['list', t.list(t.string(o), o), '[a, b]', ['a', 'b']],
    ['list', t.list(t.string(o), o), 'a,b', ['a', 'b']],
    ['list', t.list(t.string(o), o), '""', []],
    ['list', t.list(t.integer(o), o), '[1, x]', "1: expected type 'int', got unconvertible type 'string'"],
    ['list', t.list(t.string(o), o), '{a: 1}', 'source data must be an array or slice, got map'],
    ['list', t.list(t.string(o), o), '5', 'source data must be an array or slice, got int'],
    ['list', t.list(t.string(o), { ...o, minItems: 1 }), '[]', 'must not be empty'],
    ['list', t.list(t.string(o), { ...o, minItems: 2 }), '[a]', 'must have at least 2 items'],
    ['map', t.map(t.integer(o), o), '{a: 1, b: 2}', { a: 1, b: 2 }],
    ['map', t.map(t.integer(o), o), '{a: x}', "a: expected type 'int', got unconvertible type 'string'"],
    ['map', t.map(t.integer(o), o), 'x', "expected type 'map[string]interface {}', got unconvertible type 'string'"],
    ['map', t.map(t.string(o), o), '{a: }', { a: '' }],
    ['headers', t.headers(o), '{b: x, a: y}', { b: 'x', a: 'y' }],
    ['headers', t.headers(o), '[{name: b, value: x}, {name: a, value: y}]', { b: 'x', a: 'y' }],
    ['headers', t.headers(o), '{bad: 1}', "bad: expected type 'string', got unconvertible type 'int'"],
    ['headers', t.headers(o), 'foo', 'source data must be an array or slice, got string'],
    [
      'headers',
      t.headers(o),
      '[{name: foo, value: a}, {name: foo, value: b}]',
      'duplicate keys in map-style list: [foo]',
    ],
    [
      'headers',
      t.headers(o),
      '[{nam: foo, value: a}]',
      ['0::name: must be specified', '0: has invalid keys: nam (did you mean "name"?)'],
    ],
    ['section', t.section({ a: t.integer({ ...o, default: 1 }) }), '{}', { a: 1 }],
    ['section', t.section({ a: t.integer({ ...o, default: 1 }) }), '', { a: 1 }],
    ['section', t.section({ a: t.integer({ ...o, default: 1 }) }), 'x', 'expected a map or struct, got "string"'],
    ['section', t.section({ a: t.integer({ ...o, default: 1 }) }), '[]', 'expected a map or struct, got "slice"'],
    ['section', t.section({ a: t.integer(o) }), '', 'a: must be specified'],
  ]
  test.each(table)('%s %#', (_, schema, yaml, expected) => {
    const checked = read(schema, yaml)
    if (!checked.faults) {
      expect(checked.value).toEqual(expected)
      return
    }
    const sentences = new ConfigError(checked.faults.map(({ origin: _, ...fault }) => fault)).message.split('\n')
    const wanted = [expected].flat().map(sentence => expect.stringContaining(String(sentence)))
    expect(sentences).toEqual(wanted)
  })
})

describe('a key with nothing after it', () => {
  const schema = t.section({
    text: t.string({ ...o, default: 'x' }),
    list: t.list(t.string(o), { ...o, default: ['a', 'b'] }),
    map: t.map(t.integer(o), { ...o, default: { a: 1 } }),
    inner: t.section({ deep: t.duration({ ...o, default: '1s' }) }),
    maybe: t.optional(t.section({ a: t.integer({ ...o, default: 1 }) })),
  })
  const defaults = { text: 'x', list: ['a', 'b'], map: { a: 1 }, inner: { deep: 1000 } }

  test('keeps the default, and so does an absent one', () => {
    expect(outcome(schema, '{}')).toEqual(defaults)
    expect(outcome(schema, '{text: , list: , map: , inner: , maybe: }')).toEqual(defaults)
    expect(outcome(schema, 'inner: {deep: }')).toEqual(defaults)
  })

  test('a written list replaces the default, an empty one too; a written map is put over it', () => {
    expect(outcome(schema, '{list: [c], map: {b: 2}}')).toEqual({ ...defaults, list: ['c'], map: { a: 1, b: 2 } })
    expect(outcome(schema, '{list: [], map: {a: 3}}')).toEqual({ ...defaults, list: [], map: { a: 3 } })
  })

  test('is a fault where the option must be written', () => {
    expect(outcome(t.section({ endpoint: t.endpoint(o) }), 'endpoint:')).toEqual([
      'c.yaml:1:1  endpoint: must be specified',
    ])
  })
})

describe('sections that can be switched', () => {
  const inner = t.section({ foo: t.string({ ...o, default: 'foobar' }) })
  const schema = t.section({
    default: t.whenPresent(inner, o),
    some: t.unlessDisabled(inner, o),
    none: t.optional(inner),
  })
  const table: readonly [string, unknown, unknown, unknown][] = [
    ['{}', undefined, 'foobar', undefined],
    ['{default: , some: , none: }', 'foobar', 'foobar', undefined],
    ['{default: {}, some: {}, none: {}}', 'foobar', 'foobar', 'foobar'],
    ['{default: {foo: bar}, some: {foo: bar}, none: {foo: bar}}', 'bar', 'bar', 'bar'],
    ['{default: {enabled: true}, some: {enabled: true}}', 'foobar', 'foobar', undefined],
    ['{default: {enabled: false, foo: x}, some: {enabled: false, foo: x}}', undefined, undefined, undefined],
  ]
  test.each(table)('%s', (yaml, whenPresent, unlessDisabled, optional) => {
    const { value } = read(schema, yaml)
    expect([value?.default?.foo, value?.some?.foo, value?.none?.foo]).toEqual([whenPresent, unlessDisabled, optional])
  })

  test('a switch is true or false and nothing else', () => {
    expect(outcome(schema, 'some: {enabled: x}')).toEqual([
      "c.yaml:1:17  some::enabled: unexpected type string for 'enabled': got 'x' value expected 'true' or 'false'",
    ])
    expect(outcome(schema, 'some: {enabled: [hush]}')).toEqual([
      "c.yaml:1:8  some::enabled: unexpected type []interface {} for 'enabled': got '[]interface {}' value expected 'true' or 'false'",
    ])
    expect(outcome(schema, 'none: {enabled: true}')).toEqual(['c.yaml:1:8  none: has invalid keys: enabled'])
  })

  test('what must be written in a section is asked for only while it is on', () => {
    const strict = t.section({ a: t.whenPresent(t.section({ must: t.string(o) }), o) })
    expect(outcome(strict, '{}')).toEqual({})
    expect(outcome(strict, 'a: {enabled: false}')).toEqual({})
    expect(outcome(strict, 'a:')).toEqual(['c.yaml:1:1  a::must: must be specified'])
  })
})

describe('faults', () => {
  const schema = t.section({
    protocols: t.section({ grpc: t.optional(t.any(o)), http: t.optional(t.any(o)) }),
    timeout: t.duration({ ...o, default: '1s' }),
    retries: t.list(t.section({ delay: t.duration({ ...o, default: '1s' }) }), { ...o, default: [] }),
  })

  test('are told all at once, in order, with position, path and nearest key', () => {
    const yaml = 'timeout: 5x\nprotocols:\n  htttp:\nretries:\n  - {delay: 1}\n  - {delay: -1s}\nextra: 1\n'
    expect(outcome(schema, yaml, ['receivers', 'otlp'])).toEqual([
      'c.yaml:1:10  receivers::otlp::timeout: time: unknown unit "x" in duration "5x"',
      'c.yaml:3:3  receivers::otlp::protocols: has invalid keys: htttp (did you mean "http"?)',
      'c.yaml:6:13  receivers::otlp::retries::1::delay: must not be negative, got -1s',
      'c.yaml:7:1  receivers::otlp: has invalid keys: extra',
    ])
  })

  test('case matters in keys, and the hint knows', () => {
    expect(outcome(schema, 'Timeout: 1s')).toEqual(['c.yaml:1:1  has invalid keys: Timeout (did you mean "timeout"?)'])
  })

  test('what is missing is placed where it is missing, or where the caller says', () => {
    const required = t.section({ a: t.string(o) })
    expect(check(required, undefined, ['x'], { origin: { file: 'f', line: 2, column: 3 } }).faults).toEqual([
      { path: 'x::a', message: 'must be specified', code: 'missing-option', origin: { file: 'f', line: 2, column: 3 } },
    ])
    expect(check(required, undefined, ['x']).faults).toMatchObject([{ path: 'x::a', message: 'must be specified' }])
  })

  test('never quote a secret', () => {
    const secretive = t.section({
      password: t.secret({ ...o, pattern: '^x' } as typeof o),
      headers: t.headers(o),
      inner: t.optional(t.section({})),
    })
    const yaml = 'password: hush\nheaders: [{name: a, value: [hush]}, {name: a, value: hush}]\ninner: hush'
    const faults = outcome(secretive, yaml) as string[]
    expect(faults).toHaveLength(4)
    expect(faults.join()).not.toContain('hush')
  })
})

test('a deprecated option is a warning where it is written', () => {
  const schema = t.section({
    old: t.optional(t.string({ ...o, deprecated: 'use "new" instead' })),
    fine: t.optional(t.string(o)),
  })
  expect(read(schema, 'old: 1x\nfine: y', ['exporters', 'x']).warnings).toEqual([
    {
      level: 'warn',
      code: 'deprecated',
      message: '"exporters::x::old" is deprecated; use "new" instead',
      path: 'exporters::x::old',
      origin: { file: 'c.yaml', line: 1, column: 1 },
    },
  ])
  expect(read(schema, 'fine: y').warnings).toEqual([])
})

test('the value is frozen all the way down', () => {
  const schema = t.section({ list: t.list(t.any(o), o), map: t.map(t.any(o), o), inner: t.section({}) })
  const { value } = read(schema, '{list: [{a: [1]}], map: {a: {b: 1}}}')
  const frozen = (item: unknown): boolean =>
    typeof item !== 'object' || item === null || (Object.isFrozen(item) && Object.values(item).every(frozen))
  expect(frozen(value)).toBe(true)
})

test('a key named __proto__ is a key like any other', () => {
  const { value } = check(t.map(t.any(o), o), fromPlain(JSON.parse('{"__proto__": {"x": 1}}')))
  expect(Object.keys(value!)).toEqual(['__proto__'])
  expect(({} as { x?: unknown }).x).toBeUndefined()
})
