import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from './check.ts'
import { fromPlain } from './node.ts'
import { t } from './schema.ts'
import { redactSchema, writtenForm } from './written-form.ts'
import { parseYaml } from './yaml-parse.ts'
import { printJson, printYaml } from './yaml-print.ts'

const o = { description: 'What it is for.' }
const inner = t.section({ foo: t.string({ ...o, default: 'bar' }), pw: t.optional(t.secret(o)) })
const schema = t.section({
  timeout: t.duration({ ...o, default: '90s' }),
  size: t.bytes({ ...o, default: '4MiB' }),
  token: t.optional(t.secret(o)),
  headers: t.headers({ ...o, default: {} }),
  off: t.whenPresent(inner, o),
  on: t.unlessDisabled(inner, o),
  users: t.list(t.section({ name: t.string(o), password: t.secret(o) }), { ...o, default: [] }),
  secrets: t.map(t.secret(o), { ...o, default: {} }),
  any: t.optional(t.any(o)),
})

function receive(written: unknown) {
  const checked = check(schema, fromPlain(written))
  if (checked.faults) throw new Error(JSON.stringify(checked.faults))
  return checked.value
}

test.each([
  ['http://user:hidden@host:1/path', 'http://user:[REDACTED]@host:1/path'],
  ['https://:hidden@host', 'https://:[REDACTED]@host'],
  ['http://user:hid@den@host', 'http://user:[REDACTED]@host'],
  ['http://user@host:1/a:b@c', 'http://user@host:1/a:b@c'],
  ['host:4317', 'host:4317'],
  ['http://host:1/?a=b:c@d', 'http://host:1/?a=b:c@d'],
])('of the URL %s the password is not printed', (written, printed) => {
  const form = t.section({ endpoint: t.endpoint(o), text: t.string(o) })
  const checked = check(form, fromPlain({ endpoint: written, text: written }))
  expect(redactSchema(form, checked.value)).toEqual({ endpoint: printed, text: printed })
  expect(writtenForm(form, checked.value, { secrets: 'shown' })).toEqual({ endpoint: written, text: written })
})

describe('a received value is printed as it would be written', () => {
  test('with defaults, durations as texts, and without what is off', () => {
    expect(redactSchema(schema, receive({}))).toEqual({
      timeout: '1m30s',
      size: 4_194_304,
      headers: [],
      on: { foo: 'bar' },
      users: [],
      secrets: {},
    })
  })

  test('what was switched off says so where leaving it out would switch it on', () => {
    const written = redactSchema(schema, receive({ off: { enabled: false }, on: { enabled: false } }))
    expect(written).toMatchObject({ on: { enabled: false } })
    expect(written).not.toHaveProperty('off')
  })

  test('durations as nanoseconds and headers as a map for whoever wants that', () => {
    const received = receive({ timeout: '1.5ms', headers: { b: '1', a: '2' } })
    expect(writtenForm(schema, received, { durations: 'nanoseconds', headers: 'map' })).toMatchObject({
      timeout: 1_500_000,
      headers: { a: '[REDACTED]', b: '[REDACTED]' },
    })
  })

  test('headers as a list sorted by name', () => {
    expect(writtenForm(schema, receive({ headers: { b: '1', a: '2' } }), { secrets: 'shown' })).toMatchObject({
      headers: [
        { name: 'a', value: '2' },
        { name: 'b', value: '1' },
      ],
    })
  })
})

/** Without integers that a double does not hold exactly: those are received as bigint. */
function exact(value: unknown): unknown {
  const safe = (item: unknown) => !Number.isInteger(item) || Number.isSafeInteger(item)
  return JSON.parse(JSON.stringify(value, (_, item) => (safe(item) ? item : 0)))
}

const text = fc.string({ maxLength: 5 })
/** A secret that cannot occur by chance. */
const secret = fc.uuid().map(uuid => `hush-${uuid}`)
const written = fc.record(
  {
    timeout: fc.integer({ min: 0, max: 2 ** 40 }).map(ms => `${ms}ms`),
    size: fc.integer({ min: 0 }),
    token: secret,
    headers: fc.oneof(fc.dictionary(text, secret), fc.constant([])),
    off: fc.record({ foo: text, pw: secret }, { requiredKeys: [] }),
    on: fc.oneof(fc.record({ foo: text, pw: secret }, { requiredKeys: [] }), fc.constant({ enabled: false })),
    users: fc.array(fc.record({ name: text, password: secret }), { maxLength: 3 }),
    secrets: fc.dictionary(text, secret, { maxKeys: 3 }),
    any: fc.jsonValue().map(exact),
  },
  { requiredKeys: [] },
)

test('no secret is ever printed', () => {
  fc.assert(
    fc.property(written, value => {
      const redacted = redactSchema(schema, receive(value))
      for (const printed of [printYaml(redacted), printJson(redacted)]) {
        expect(printed).not.toContain('hush-')
        if (JSON.stringify(value).includes('hush-')) expect(printed).toContain('[REDACTED]')
      }
    }),
  )
})

test('what is printed with secrets reads back as the same value', () => {
  fc.assert(
    fc.property(written, value => {
      const received = receive(value)
      const printed = writtenForm(schema, received, { secrets: 'shown' })
      expect(receive(parseYaml(printYaml(printed)))).toEqual(received)
      expect(receive(JSON.parse(printJson(printed)))).toEqual(received)
    }),
  )
})
