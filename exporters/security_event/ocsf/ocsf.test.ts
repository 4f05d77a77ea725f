import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlainAttributes } from '#core/testing'
import { eventOf } from '../mapping/mapping.test-support.ts'
import { ATTRIBUTE_ROWS } from './attributes.ts'
import { ocsfFaults } from './validate.test-support.ts'

const HOST = { 'service.name': 'shop', 'service.version': '1.2', 'host.name': 'h1' }
const USER = { 'user.name': 'eve', 'client.address': '10.1.2.3' }

interface Case {
  readonly what: string
  readonly record: Parameters<typeof eventOf>[0]
  readonly resource?: PlainAttributes
  readonly expected: Record<string, unknown>
}

const CASES: readonly Case[] = [
  { what: 'nothing known', record: { attributes: {} }, resource: {}, expected: { class_uid: 0, type_uid: 0 } },
  {
    what: 'a named event of no class',
    record: { eventName: 'cart.filled', attributes: {} },
    expected: { class_uid: 0, activity_id: 99, activity_name: 'cart.filled', type_uid: 99 },
  },
  {
    what: 'a login',
    record: { eventName: 'auth.login.failed', severityNumber: 13, attributes: { ...USER, 'event.outcome': 'failure' } },
    expected: {
      type_uid: 300201,
      severity_id: 3,
      status_id: 2,
      user: { name: 'eve' },
      src_endpoint: { ip: '10.1.2.3' },
      service: { name: 'shop' },
    },
  },
  { what: 'a logout', record: { eventName: 'user.logout', attributes: USER }, expected: { type_uid: 300202 } },
  {
    what: 'a login without a user',
    record: { eventName: 'auth.login', severityNumber: 9, attributes: {} },
    expected: { class_uid: 0, activity_name: 'auth.login' },
  },
  {
    what: 'a grant',
    record: { eventName: 'permission.granted', attributes: { ...USER, 'user.roles': ['admin', 'dev'] } },
    expected: { type_uid: 300301, privileges: ['admin', 'dev'] },
  },
  {
    what: 'something blocked',
    record: {
      eventName: 'tool.execution.blocked',
      severityNumber: 17,
      attributes: { ...USER, 'rule.id': 'r-1', 'rule.name': 'No shell', 'event.id': 'their-1' },
    },
    expected: {
      type_uid: 200401,
      action_id: 2,
      disposition_id: 2,
      is_alert: true,
      finding_info: expect.objectContaining({
        title: 'No shell',
        analytic: { type_id: 1, uid: 'r-1', name: 'No shell' },
      }),
      evidences: [{ user: { name: 'eve' }, src_endpoint: { ip: '10.1.2.3' } }],
    },
  },
  {
    what: 'a web request',
    record: {
      traceId: Buffer.alloc(16, 7),
      spanId: Buffer.alloc(8, 7),
      attributes: {
        'http.request.method': 'post',
        'url.query': 'q=1',
        'server.address': 'shop.example.com',
        'server.port': 443,
        'http.response.status_code': '401',
        'enduser.id': 'u1',
      },
    },
    expected: {
      type_uid: 400206,
      http_request: { http_method: 'POST', url: { query_string: 'q=1', path: '/' } },
      http_response: { code: 401 },
      dst_endpoint: { hostname: 'shop.example.com', port: 443 },
      actor: { user: { uid: 'u1' } },
      trace: { uid: '07'.repeat(16) },
    },
  },
  {
    what: 'a tool call of an agent',
    record: {
      attributes: {
        'gen_ai.tool.name': 'read_file',
        'gen_ai.request.model': 'm1',
        'gen_ai.provider.name': 'p1',
      },
    },
    expected: {
      type_uid: 600302,
      api: { operation: 'read_file' },
      actor: { app_name: 'shop' },
      src_endpoint: { svc_name: 'shop' },
      ai_model: { name: 'm1', ai_provider: 'p1' },
    },
  },
  {
    what: 'a process',
    record: { eventName: 'process.exec', attributes: { 'process.pid': 42, 'process.command_line': 'sh -c x' } },
    expected: { type_uid: 100701, process: { pid: 42, cmd_line: 'sh -c x' }, device: { hostname: 'h1', type_id: 0 } },
  },
  { what: 'a start', record: { eventName: 'plugin.started' }, expected: { type_uid: 600203, app: { name: 'shop' } } },
  { what: 'an error', record: { severityNumber: 17 }, expected: { type_uid: 600801, severity_id: 4 } },
  {
    what: 'a class that the record names',
    record: { attributes: { 'ocsf.class_uid': 6008, 'ocsf.activity_id': 2 } },
    expected: { type_uid: 600802 },
  },
  {
    what: 'a security event of an agent gateway',
    record: {
      severityNumber: 13,
      attributes: {
        'openclaw.security.category': 'tool',
        'openclaw.security.action': 'tool.execution.blocked',
        'openclaw.security.severity': 'critical',
        'openclaw.security.event_id': 'gw-1',
      },
    },
    expected: {
      type_uid: 200401,
      severity_id: 5,
      metadata: expect.objectContaining({ original_event_uid: 'gw-1', event_code: 'tool.execution.blocked' }),
    },
  },
]

test.each(CASES)('$what becomes a valid event', ({ record, resource = HOST, expected }) => {
  const { json, id } = eventOf(record, 'ocsf', { resource })
  expect(ocsfFaults(json)).toEqual([])
  expect(json).toMatchObject(expected)
  expect(json.metadata).toMatchObject({ version: '1.8.0', uid: id })
})

test('what has no place stays in unmapped, exactly', () => {
  const { text, json } = eventOf(
    { attributes: { 'k8s.pod.name': 'p', nested: { a: [1, Number.NaN] }, big: 2n ** 60n, 'user.id': ['no', 'text'] } },
    'ocsf',
    { resource: { 'k8s.pod.name': 'outer', 'cloud.region': 'eu' } },
    { defaultAttributes: { environment: 'prod' } },
  )
  expect(ocsfFaults(json)).toEqual([])
  expect(json.unmapped).toMatchObject({
    'k8s.pod.name': 'p',
    'resource.k8s.pod.name': 'outer',
    'cloud.region': 'eu',
    environment: 'prod',
    nested: { a: [1, null] },
  })
  expect(text).toContain('"big":1152921504606846976')
})

test('the validator finds what is wrong', () => {
  const { json } = eventOf(CASES[2]!.record, 'ocsf', { resource: HOST })
  expect(ocsfFaults({ ...json, type_uid: 1 })).toEqual(['type_uid: 1 does not follow from class and activity'])
  expect(ocsfFaults({ ...json, user: {} })).toEqual(['user.: needs one of account,name,uid'])
  expect(ocsfFaults({ ...json, severity_id: 7, extra: 1 })).toEqual([
    'severity_id: 7 is none of 0,1,2,3,4,5,6,99',
    'extra: is not in the schema',
  ])
  expect(ocsfFaults({ ...json, device: { hostname: 'h' } })).toContain('device.type_id: is required')
  const { user: _, ...anonymous } = json
  expect(ocsfFaults(anonymous)).toEqual(['user: is required'])
})

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double().filter(n => !Number.isInteger(n)),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.uint8Array({ maxLength: 4 }),
  fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 }),
  fc.constantFrom('10.0.0.1', '::1', 'GET', 'get', '443', 'high', 'denied', 'success'),
)
const name = fc.oneof(
  fc.constantFrom(...ATTRIBUTE_ROWS.map(([attribute]) => attribute)),
  fc.constantFrom('event.name', 'event.outcome', 'security.severity', 'rule.id', 'exception.message', 'ocsf.class_uid'),
  fc.string(),
)
const word = fc.constantFrom('', 'auth.login', 'logout', 'x.denied', 'app.started', 'grant', 'process.exit', 'other')

test('any record at all becomes a valid event in every format', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, value, { maxKeys: 12 }),
      fc.dictionary(fc.oneof(name, fc.constantFrom('service.name', 'host.name')), value, { maxKeys: 4 }),
      word,
      fc.integer({ min: 0, max: 30 }),
      fc.option(value, { nil: null }),
      (attributes, resource, eventName, severityNumber, body) => {
        const record = { attributes, eventName, severityNumber, body: body ?? null }
        const { json } = eventOf(record, 'ocsf', { resource })
        expect(ocsfFaults(json)).toEqual([])
        for (const format of ['flat', 'original', 'ecs'] as const) eventOf(record, format, { resource })
        for (const format of ['cef', 'leef'] as const) {
          expect(eventOf(record, format, { resource }).text).not.toMatch(/[\r\n]/)
        }
      },
    ),
    { numRuns: 400 },
  )
})
