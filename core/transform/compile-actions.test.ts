import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ConsumeContext, NO_CONTEXT } from '#core/component'
import { t } from '#core/config'
import { openDraft } from '#core/data'
import {
  aSpan,
  configure,
  decodePayload,
  type Otlp,
  type PlainAttributes,
  payloadOf,
  RecordingLogger,
  tracesOf,
} from '#core/testing'
import { actionsOption, checkActions } from './actions-option.ts'
import { compileActions } from './compile-actions.ts'

type Attributes = PlainAttributes | Otlp[]

const config = t.section({ actions: actionsOption('Actions.') })

function spanWith(attributes: Attributes) {
  return payloadOf('traces', tracesOf([aSpan({ attributes })]))
}

/** What the actions make of a span's attributes, and of a span that has the expected ones from the start. */
function apply(
  actions: object[],
  before: Attributes,
  context: ConsumeContext = NO_CONTEXT,
  logger = new RecordingLogger(),
) {
  const compiled = compileActions(configure(config, { actions }).actions, logger)
  const draft = openDraft(spanWith(before))
  for (const span of draft.spans()) compiled(span.attributes, context)
  return decodePayload(draft.seal())
}

const as = (attributes: Attributes) => decodePayload(spanWith(attributes))

const double = (value: number) => ({ value: { doubleValue: value } })

type Case = readonly [string, object, Attributes, Attributes]
const cases: readonly Case[] = [
  ['insert adds what is not there', { action: 'insert', key: 'a', value: 1 }, { b: 'x' }, { b: 'x', a: 1 }],
  ['insert leaves what is there', { action: 'insert', key: 'a', value: 1 }, { a: 'x' }, { a: 'x' }],
  ['update changes what is there', { action: 'update', key: 'a', value: true }, { a: 'x' }, { a: true }],
  ['update adds nothing', { action: 'update', key: 'a', value: 1 }, { b: 'x' }, { b: 'x' }],
  ['upsert adds', { action: 'upsert', key: 'a', value: 1.5 }, {}, { a: 1.5 }],
  ['upsert changes', { action: 'upsert', key: 'a', value: ['x', 2] }, { a: 1 }, { a: ['x', 2] }],
  ['actions may be in upper case', { action: 'UPSERT', key: 'a', value: 'x' }, {}, { a: 'x' }],
  ['a copy keeps its type', { action: 'insert', key: 'b', from_attribute: 'a' }, { a: 5 }, { a: 5, b: 5 }],
  [
    'a copied whole double stays a double',
    { action: 'insert', key: 'b', from_attribute: 'a' },
    [{ key: 'a', ...double(5) }],
    [
      { key: 'a', ...double(5) },
      { key: 'b', ...double(5) },
    ],
  ],
  ['a copy of nothing is nothing', { action: 'upsert', key: 'b', from_attribute: 'a' }, { b: 1 }, { b: 1 }],
  [
    'a default stands in for a missing source',
    { action: 'upsert', key: 'b', from_attribute: 'a', default_value: 'd' },
    { b: 1 },
    { b: 'd' },
  ],
  [
    'a source wins over the default',
    { action: 'insert', key: 'b', from_attribute: 'a', default_value: 'd' },
    { a: 1 },
    { a: 1, b: 1 },
  ],
  [
    'a default changes what is there only',
    { action: 'update', key: 'b', from_attribute: 'a', default_value: 'd' },
    { c: 1 },
    { c: 1 },
  ],
  ['a default may stand alone', { action: 'insert', key: 'b', default_value: 42 }, {}, { b: 42 }],
  ['delete removes', { action: 'delete', key: 'a' }, { a: 1, b: 2 }, { b: 2 }],
  [
    'delete by pattern removes every key it matches',
    { action: 'delete', pattern: '^tmp\\.' },
    { 'tmp.a': 1, x: 1, 'tmp.b': 2, 'x.tmp.c': 3 },
    { x: 1, 'x.tmp.c': 3 },
  ],
  ['delete takes key and pattern', { action: 'delete', key: 'a', pattern: '^b' }, { a: 1, bb: 2, c: 3 }, { c: 3 }],
  [
    'extract sets an attribute a group',
    { action: 'extract', key: 'url', pattern: '^/v(?P<version>\\d+)/(?P<rest>.*)$' },
    { url: '/v2/cart', version: 'old' },
    { url: '/v2/cart', version: '2', rest: 'cart' },
  ],
  [
    'a group that took no part is empty',
    { action: 'extract', key: 'a', pattern: '(?P<x>x)|(?P<y>y)' },
    { a: 'y' },
    { a: 'y', x: '', y: 'y' },
  ],
  ['extract needs a match', { action: 'extract', key: 'a', pattern: '(?P<x>x)' }, { a: 'b' }, { a: 'b' }],
  ['extract needs a string', { action: 'extract', key: 'a', pattern: '(?P<x>1)' }, { a: 1 }, { a: 1 }],
]

test.each(cases)('%s', (_, action, before, after) => {
  expect(apply([action], before)).toEqual(as(after))
})

test('actions are applied in order, each to what the one before left', () => {
  const actions = [
    { key: 'operation', action: 'insert', value: 'default' },
    { key: 'svc.operation', action: 'upsert', from_attribute: 'operation' },
    { key: 'operation', action: 'delete' },
  ]
  expect(apply(actions, { a: 1 })).toEqual(as({ a: 1, 'svc.operation': 'default' }))
  expect(apply(actions, { operation: 'add' })).toEqual(as({ 'svc.operation': 'add' }))
})

describe('hash', () => {
  const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
  const int = Buffer.alloc(8)
  int.writeBigInt64LE(24n)
  const negative = Buffer.alloc(8)
  negative.writeBigInt64LE(-9007199254740993n)
  const float = Buffer.alloc(8)
  float.writeDoubleLE(2.4)
  const whole = Buffer.alloc(8)
  whole.writeDoubleLE(24)
  test.each([
    ['a string', { stringValue: 'foo' }, sha256('foo')],
    ['an empty string', { stringValue: '' }, sha256('')],
    ['an integer', { intValue: 24 }, sha256(int)],
    ['a large integer', { intValue: -9007199254740993n }, sha256(negative)],
    ['a double', { doubleValue: 2.4 }, sha256(float)],
    ['a whole double', { doubleValue: 24 }, sha256(whole)],
    ['true', { boolValue: true }, sha256(Buffer.of(1))],
    ['false', { boolValue: false }, sha256(Buffer.of(0))],
    ['a list', { arrayValue: { values: [{ intValue: 1 }] } }, ''],
    ['bytes', { bytesValue: Buffer.of(1) }, ''],
  ])('of %s', (_, value, expected) => {
    expect(apply([{ action: 'hash', key: 'a' }], [{ key: 'a', value }])).toEqual(as({ a: expected }))
  })

  test('takes a pattern for keys', () => {
    const hashed = sha256('x')
    expect(apply([{ action: 'hash', key: 'a', pattern: '^user\\.' }], { a: 'x', 'user.id': 'x', b: 'x' })).toEqual(
      as({ a: hashed, 'user.id': hashed, b: 'x' }),
    )
  })

  test('of nothing is nothing', () => {
    expect(apply([{ action: 'hash', key: 'a' }], { b: 1 })).toEqual(as({ b: 1 }))
  })
})

describe('convert', () => {
  const list = { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'x' }] } }
  test.each([
    ['int', { stringValue: '200' }, { intValue: 200 }],
    ['int', { stringValue: '-9223372036854775808' }, { intValue: -9223372036854775808n }],
    ['int', { stringValue: '9223372036854775808' }, { stringValue: '9223372036854775808' }],
    ['int', { stringValue: '1.5' }, { stringValue: '1.5' }],
    ['int', { stringValue: ' 1' }, { stringValue: ' 1' }],
    ['int', { doubleValue: -1.9 }, { intValue: -1 }],
    ['int', { boolValue: true }, { intValue: 1 }],
    ['int', list, list],
    ['double', { stringValue: '1e3' }, { doubleValue: 1000 }],
    ['double', { stringValue: '-Inf' }, { doubleValue: Number.NEGATIVE_INFINITY }],
    ['double', { stringValue: 'one' }, { stringValue: 'one' }],
    ['double', { intValue: 5 }, { doubleValue: 5 }],
    ['double', { boolValue: false }, { doubleValue: 0 }],
    ['string', { intValue: 9007199254740993n }, { stringValue: '9007199254740993' }],
    ['string', { doubleValue: 1.5 }, { stringValue: '1.5' }],
    ['string', { boolValue: true }, { stringValue: 'true' }],
    ['string', list, { stringValue: '[1,"x"]' }],
    [
      'string',
      {
        kvlistValue: {
          values: [
            { key: 'b', value: { intValue: 1 } },
            { key: 'a', value: list },
          ],
        },
      },
      { stringValue: '{"a":[1,"x"],"b":1}' },
    ],
    ['string', { bytesValue: Buffer.of(1, 2) }, { stringValue: 'AQI=' }],
  ])('to %s: %o becomes %o', (converted_type, value, expected) => {
    expect(apply([{ action: 'convert', key: 'a', converted_type }], [{ key: 'a', value }])).toEqual(
      as([{ key: 'a', value: expected }]),
    )
  })

  test('says what it could not convert', () => {
    const logger = new RecordingLogger()
    apply([{ action: 'convert', key: 'a', converted_type: 'int' }], { a: 'x' }, NO_CONTEXT, logger)
    apply([{ action: 'convert', key: 'a', converted_type: 'int' }], { a: ['x'] }, NO_CONTEXT, logger)
    expect(logger.messages('debug')).toEqual(['String could not be converted to int', 'Unable to convert type'])
  })
})

describe('from_context', () => {
  const auth = { subject: 'ada', groups: ['a', 'b'], age: 36 }
  const context: ConsumeContext = {
    metadata: new Map([
      ['tenant', ['acme']],
      ['x-many', ['1', '2']],
    ]),
    clientAddress: '192.0.2.1:5000',
    auth: { attribute: name => auth[name as keyof typeof auth], names: Object.keys(auth) },
  }
  test.each([
    ['metadata.tenant', 'acme'],
    ['metadata.Tenant', 'acme'],
    ['tenant', 'acme'],
    ['metadata.x-many', '1;2'],
    ['metadata.nothing', 'none'],
    ['auth.subject', 'ada'],
    ['auth.groups', 'a;b'],
    ['auth.age', 'none'],
    ['auth.nothing', 'none'],
    ['client.address', '192.0.2.1'],
  ])('%s is %s', (from_context, expected) => {
    const action = { action: 'insert', key: 'a', from_context, default_value: 'none' }
    expect(apply([action], {}, context)).toEqual(as({ a: expected }))
  })

  test.each([
    ['[2001:db8::1]:5000', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('the address %s is %s', (clientAddress, expected) => {
    const action = { action: 'insert', key: 'a', from_context: 'client.address' }
    expect(apply([action], {}, { ...NO_CONTEXT, clientAddress })).toEqual(as({ a: expected }))
  })

  test('without a request there is nothing to read', () => {
    for (const from_context of ['client.address', 'auth.subject', 'metadata.x']) {
      expect(apply([{ action: 'insert', key: 'a', from_context }], {})).toEqual(as({}))
    }
  })
})

describe('the configuration', () => {
  const key = (name: string) => `error with key "${name}" (0-th action): error creating AttrProc`
  test.each([
    [{ action: 'upsert', value: 1 }, 'error creating AttrProc due to missing required field "key" at the 0-th action'],
    [
      { action: 'hash' },
      'error creating AttrProc due to missing required field (at least one of "key" and "pattern" have to be used) at the 0-th action',
    ],
    [{ key: 'a', action: 'invalid' }, `${key('a')} due to unsupported action "invalid"`],
    [
      { key: 'a', action: 'insert' },
      `${key('a')}. Either field "value", "from_attribute", "from_context", or "default_value" must be specified`,
    ],
    [
      { key: 'a', action: 'upsert', value: 1, from_attribute: 'b' },
      `${key('a')} due to multiple value sources being set`,
    ],
    [
      { key: 'a', action: 'insert', value: 1, pattern: 'x' },
      `${key('a')}. Action "insert" does not use the "pattern" field. This must not be specified`,
    ],
    [
      { key: 'a', action: 'insert', value: 1, converted_type: 'int' },
      `${key('a')}. Action "insert" does not use the "converted_type" field. This must not be specified`,
    ],
    [
      { key: 'a', action: 'delete', value: 1 },
      `${key('a')}. Action "delete" does not use "value" or "from_attribute" field. These must not be specified`,
    ],
    [{ key: 'a', action: 'hash', pattern: '(' }, `${key('a')}. Field "pattern" has invalid pattern: "("`],
    [
      { key: 'a', action: 'extract', pattern: '(?P<x>.)', value: 1 },
      `${key('a')}. Action "extract" does not use a value source field. These must not be specified`,
    ],
    [{ key: 'a', action: 'extract' }, `${key('a')} due to missing required field "pattern" for action "extract"`],
    [
      { key: 'a', action: 'extract', pattern: '(?P<invalid.regex>.*?)$' },
      `${key('a')}. Field "pattern" has invalid pattern: "(?P<invalid.regex>.*?)$"`,
    ],
    [{ key: 'a', action: 'extract', pattern: '.*$' }, `${key('a')}. Field "pattern" contains no named matcher groups`],
    [
      { key: 'a', action: 'extract', pattern: '(?P<x>.)(.)' },
      `${key('a')}. Field "pattern" contains at least one unnamed matcher group`,
    ],
    [
      { key: 'a', action: 'convert', converted_type: 'int', value: 1 },
      `${key('a')}. Action "convert" does not use value sources or "pattern" field. These must not be specified`,
    ],
    [
      { key: 'a', action: 'convert' },
      `${key('a')} due to missing required field "converted_type" for action "convert"`,
    ],
    [
      { key: 'a', action: 'convert', converted_type: 'bool' },
      `${key('a')} due to invalid value "bool" in field "converted_type" for action "convert"`,
    ],
  ])('%j is refused', (action, fault) => {
    expect([...checkActions(configure(config, { actions: [action] }).actions)]).toEqual([fault])
  })
})
