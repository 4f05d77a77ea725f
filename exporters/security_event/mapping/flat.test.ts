import { expect, test } from 'vitest'
import { admitJson } from '#core/data'
import { EPOCH } from '#core/testing'
import { eventOf, eventsOf, logPayload, mappingOf } from './mapping.test-support.ts'

const TRACE = Buffer.from('5b8efff798038103d269b633813fc60c', 'hex')
const SPAN = Buffer.from('eee19b7ec3c1b174', 'hex')

test('an event has the fields of the record, resource, scope and attributes flat', () => {
  const { json, id, conflicts } = eventOf(
    {
      timeUnixNano: EPOCH + 1n,
      body: 'Login failed',
      severityNumber: 17,
      severityText: 'ERROR',
      traceId: TRACE,
      spanId: SPAN,
      eventName: 'auth.login.failed',
      attributes: { 'user.name': 'eve', attempts: 3, big: 2n ** 60n },
    },
    'flat',
    { resource: { 'service.name': 'shop' }, scope: 'auth', scopeVersion: '2' },
    { defaultAttributes: { environment: 'production' } },
  )
  expect(json).toEqual({
    timestamp: '2026-01-01T00:00:00.000000001Z',
    'event.id': id,
    severity: 'ERROR',
    severity_number: 17,
    message: 'Login failed',
    'event.name': 'auth.login.failed',
    trace_id: '5b8efff798038103d269b633813fc60c',
    span_id: 'eee19b7ec3c1b174',
    environment: 'production',
    'service.name': 'shop',
    'scope.name': 'auth',
    'scope.version': '2',
    'user.name': 'eve',
    attempts: 3,
    big: 2 ** 60,
  })
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(conflicts).toBe(0)
})

test('a record without anything is an event still', () => {
  const [event] = eventsOf(admitJson('logs', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{}]}]}]}').payload)
  expect(JSON.parse(event!.text)).toEqual({
    timestamp: '2026-01-01T00:00:05.000Z',
    'event.id': event!.id,
    severity: 'UNSPECIFIED',
    severity_number: 0,
  })
})

test('without a time the observed time counts', () => {
  const { json } = eventOf({ timeUnixNano: 0, observedTimeUnixNano: EPOCH })
  expect(json.timestamp).toBe('2026-01-01T00:00:00.000Z')
})

test.each([
  [0, '', 'UNSPECIFIED'],
  [1, '', 'TRACE'],
  [8, '', 'DEBUG'],
  [9, '', 'INFO'],
  [16, '', 'WARN'],
  [24, '', 'FATAL'],
  [99, '', 'UNSPECIFIED'],
  [9, 'Notice', 'Notice'],
])('severity %d %j is %s', (severityNumber, severityText, expected) => {
  expect(eventOf({ severityNumber, severityText }).json.severity).toBe(expected)
})

test('lists, maps, bytes and numbers beyond JSON keep their values', () => {
  const { text } = eventOf({
    body: { b: [1, { c: null }], a: Buffer.from('hi') },
    attributes: { list: ['x', 1.5, true], nan: Number.NaN, infinite: Number.POSITIVE_INFINITY, big: 2n ** 63n - 1n },
  })
  expect(text).toContain('"message":{"a":"aGk=","b":[1,{"c":null}]}')
  expect(text).toContain('"list":["x",1.5,true],"nan":null,"infinite":null,"big":9223372036854775807}')
})

test('attributes with the name of a field or of each other are all kept, and counted', () => {
  const { json, conflicts } = eventOf(
    { attributes: { message: 'mine', 'service.name': 'log', 'attributes.message': 'taken', 'event.id': 'theirs' } },
    'flat',
    { resource: { 'service.name': 'shop', severity: 'res' } },
    { defaultAttributes: { 'service.name': 'default', timestamp: 'never' } },
  )
  expect(json).toMatchObject({
    message: 'log 0',
    'service.name': 'log',
    'resource.service.name': 'shop',
    'resource.severity': 'res',
    'default.timestamp': 'never',
    'attributes.event.id': 'theirs',
  })
  expect(Object.values(json)).toEqual(expect.arrayContaining(['mine', 'taken']))
  expect(conflicts).toBeGreaterThanOrEqual(5)
  const { json: again } = eventOf({ attributes: { plain: 1 } }, 'flat', { resource: { 'service.name': 'shop' } })
  expect(again).toMatchObject({ 'service.name': 'shop', plain: 1, 'scope.name': 'test' })
})

test('prefixes keep resource and record apart', () => {
  const prefixes = { resource: 'resource.', log: 'attributes.' }
  const { json, conflicts } = eventOf({ attributes: { n: 1 } }, 'flat', { resource: { n: 2 } }, { prefixes })
  expect(json).toMatchObject({ 'attributes.n': 1, 'resource.n': 2 })
  expect(conflicts).toBe(0)
})

test('names that mean something to JavaScript or JSON are names like others', () => {
  const { text, json } = eventOf({ attributes: { ['__proto__']: 'p', '': 'empty', 'quo"te': '\u2028' } })
  expect(Object.entries(json).map(([name]) => name)).toEqual(expect.arrayContaining(['attributes.', 'quo"te']))
  expect(text).toContain('"__proto__":"p"')
})

test('a body of a megabyte is an event', () => {
  expect((eventOf({ body: 'x'.repeat(1 << 20) }).json.message as string).length).toBe(1 << 20)
})

test('the id is the same for the same record, whatever the order of its attributes, the encoding and the format', () => {
  const one = eventOf({ attributes: { a: 1, b: 'x' } }, 'flat', { resource: { r: 1, s: 2 } })
  const two = eventOf({ attributes: { b: 'x', a: 1 } }, 'ocsf', { resource: { s: 2, r: 1 } })
  expect(two.id).toBe(one.id)
  expect(eventOf({ attributes: { a: 1, b: 'y' } }, 'flat', { resource: { r: 1, s: 2 } }).id).not.toBe(one.id)
  expect(eventOf({ attributes: { a: 1, b: 'x' } }, 'flat', { resource: { r: 1, s: 3 } }).id).not.toBe(one.id)
  const [json] = eventsOf(
    admitJson(
      'logs',
      '{"resourceLogs":[{"resource":{"attributes":[{"key":"r","value":{"intValue":"1"}},{"key":"s","value":{"intValue":"2"}}]},"scopeLogs":[{"scope":{"name":"test","version":"1.0.0"},"logRecords":[{"body":{"stringValue":"log 0"},"attributes":[{"key":"b","value":{"stringValue":"x"}},{"key":"a","value":{"intValue":"1"}}],"severityText":"INFO","severityNumber":9,"observedTimeUnixNano":"1767225600000000000","timeUnixNano":"1767225600000000000"}]}]}]}',
    ).payload,
  )
  expect(json!.id).toBe(one.id)
})

test('events of several sources in one payload have their own source each', () => {
  const { payload } = admitJson(
    'logs',
    JSON.stringify({
      resourceLogs: ['a', 'b'].map(name => ({
        resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
        scopeLogs: ['s', 't'].map(scope => ({ scope: { name: scope }, logRecords: [{}, {}] })),
      })),
    }),
  )
  const seen = eventsOf(payload).map(({ text }) => JSON.parse(text) as Record<string, string>)
  expect(seen.map(event => `${event['service.name']}${event['scope.name']}`)).toEqual([
    'as',
    'as',
    'at',
    'at',
    'bs',
    'bs',
    'bt',
    'bt',
  ])
})

test('the original format is what the Go exporter sends', () => {
  const payload = logPayload(
    [
      {
        timeUnixNano: EPOCH + 999_999_999n,
        traceId: TRACE,
        attributes: { zone: '<b>', n: 1.5, list: [1, 'x'], ok: true },
      },
    ],
    { resource: { 'service.name': 'shop', zone: 'r' } },
  )
  const mapping = mappingOf('original', { defaultAttributes: { source: 'x', level: 7 } })
  expect(eventsOf(payload, mapping)[0]!.text).toBe(
    '{"level":7,"list":"[1,\\"x\\"]","n":"1.5","ok":"true","service.name":"shop","timestamp":"2026-01-01T00:00:00Z","trace_id":"5b8efff798038103d269b633813fc60c","zone":"\\u003cb\\u003e"}',
  )
})
