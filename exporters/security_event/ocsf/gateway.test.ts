import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admitJson } from '#core/data'
import { eventOf, eventsOf, mappingOf } from '../mapping/mapping.test-support.ts'
import { GATEWAY_ACTIONS } from './gateway.ts'
import { ocsfFaults } from './validate.test-support.ts'

const GATEWAY = { 'service.name': 'openclaw-gateway' }

/** A security record of the gateway; `attributes` stand behind `<prefix>.security.`. */
function gatewayEvent(
  attributes: Record<string, string>,
  prefix = 'openclaw',
  resource: Record<string, string> = GATEWAY,
) {
  const own = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`${prefix}.security.${name}`, value]),
  )
  const record = { body: `${prefix}.security.event`, severityNumber: 13, severityText: 'WARN', attributes: own }
  return eventOf(record, 'ocsf', { resource }, { gatewayPrefix: prefix })
}

const ID = '7b0f9c1e-2a34-4c58-9a51-5a0d5b6f0c11'
const DEVICE = {
  'actor.device_id_hash': 'sha256:aaaaaaaaaaaa',
  'actor.role': 'operator',
  'target.kind': 'device',
  'target.id_hash': 'sha256:bbbbbbbbbbbb',
}
const TOOL = {
  'actor.kind': 'agent',
  'target.kind': 'tool',
  'target.name': 'exec',
  'target.owner': 'core',
  'policy.id': 'tool.policy',
}

const device = (hash = 'sha256:bbbbbbbbbbbb') => ({
  type_id: 1,
  type: 'Device',
  uid: hash,
  device: { type_id: 0, uid: hash },
})
const denied = (disposition_id: number) => ({ action_id: 2, action: 'Denied', disposition_id })

const ACTIONS: readonly [action: string, outcome: string, attributes: Record<string, string>, expected: object][] = [
  [
    'gateway.auth.succeeded',
    'success',
    { ...DEVICE, category: 'auth' },
    {
      type_uid: 300201,
      status_id: 1,
      user: { uid: 'sha256:aaaaaaaaaaaa', type_id: 99, type: 'operator' },
      service: { name: 'openclaw-gateway' },
    },
  ],
  [
    'gateway.auth.failed',
    'denied',
    { category: 'auth', 'actor.kind': 'operator', reason: 'token_mismatch', 'policy.id': 'p', 'policy.reason': 'r' },
    {
      type_uid: 300201,
      status_id: 2,
      status_detail: 'token_mismatch',
      user: { uid: 'unknown' },
      policy: { uid: 'p', desc: 'r' },
      ...denied(2),
    },
  ],
  [
    'device.pairing.approved',
    'success',
    DEVICE,
    {
      type_uid: 300406,
      status_id: 1,
      entity: device(),
      actor: { user: { uid: 'sha256:aaaaaaaaaaaa', type_id: 99, type: 'operator' } },
      action_id: 1,
      disposition_id: 8,
    },
  ],
  ['device.pairing.rejected', 'success', DEVICE, { type_uid: 300406, status_id: 1, ...denied(25) }],
  [
    'device.pairing.denied',
    'denied',
    { ...DEVICE, 'control.id': 'device.pair.approve' },
    { type_uid: 300406, status_id: 2, ...denied(26) },
  ],
  [
    'device.pairing.denied',
    'denied',
    { ...DEVICE, 'control.id': 'device.pair.remove' },
    { type_uid: 300407, status_id: 2 },
  ],
  [
    'device.pairing.denied',
    'denied',
    { 'actor.device_id_hash': 'sha256:c', 'control.id': 'device.pair.rename' },
    { type_uid: 300405, entity: device('sha256:c') },
  ],
  ['device.pairing.denied', 'denied', {}, { type_uid: 300406, entity: device('unknown') }],
  ['device.pairing.removed', 'success', DEVICE, { type_uid: 300407, status_id: 1 }],
  [
    'device.pairing.renamed',
    'success',
    { ...DEVICE, 'target.name': 'kitchen' },
    { type_uid: 300405, entity: { ...device(), name: 'kitchen' } },
  ],
  ['device.token.rotated', 'success', DEVICE, { type_uid: 300403, status_id: 1 }],
  ['device.token.rotation_denied', 'denied', DEVICE, { type_uid: 300403, status_id: 2, ...denied(26) }],
  ['device.token.revoked', 'success', DEVICE, { type_uid: 300409, disposition_id: 24 }],
  ['device.token.revocation_denied', 'denied', DEVICE, { type_uid: 300409, status_id: 2, ...denied(26) }],
  [
    'exec.approval.requested',
    'success',
    TOOL,
    {
      type_uid: 600303,
      api: { operation: 'exec', service: { name: 'core' } },
      src_endpoint: { svc_name: 'openclaw-gateway' },
      actor: { app_name: 'openclaw-gateway' },
    },
  ],
  [
    'exec.approval.approved',
    'success',
    TOOL,
    {
      type_uid: 600303,
      action_id: 1,
      action: 'Allowed',
      disposition_id: 8,
      disposition: 'Approved',
      policy: { uid: 'tool.policy' },
    },
  ],
  [
    'exec.approval.denied',
    'denied',
    TOOL,
    {
      type_uid: 200401,
      is_alert: true,
      ...denied(2),
      evidences: [{ api: { operation: 'exec', service: { name: 'core' } } }],
    },
  ],
  [
    'tool.execution.blocked',
    'denied',
    { ...TOOL, 'actor.id_hash': 'sha256:d' },
    {
      type_uid: 200401,
      ...denied(2),
      finding_info: { uid: ID, title: 'tool.execution.blocked', analytic: { type_id: 1, uid: 'tool.policy' } },
      evidences: [{ user: { uid: 'sha256:d' } }],
    },
  ],
  ['plugin.audit.failed', 'failure', { category: 'plugin' }, { type_uid: 200401 }],
  [
    'plugin.installed',
    'success',
    { category: 'plugin', 'target.kind': 'plugin', 'target.name': 'weather' },
    { type_uid: 600201, app: { name: 'weather' }, status_id: 1 },
  ],
  ['plugin.updated', 'success', { category: 'plugin' }, { type_uid: 600208, app: { name: 'openclaw-gateway' } }],
  ['plugin.uninstalled', 'success', { category: 'plugin' }, { type_uid: 600202 }],
  ['plugin.installed', 'failure', { category: 'plugin' }, { type_uid: 200401 }],
  [
    'security.audit.completed',
    'success',
    { category: 'audit' },
    { type_uid: 600299, activity_name: 'security.audit.completed' },
  ],
  ['security.audit.completed', 'failure', { category: 'audit' }, { type_uid: 200401 }],
  [
    'dangerous_command.detected',
    'success',
    { ...TOOL, category: 'tool', 'attribute.evidence': 'rm -rf /' },
    {
      type_uid: 200401,
      action_id: 3,
      disposition_id: 15,
      is_alert: true,
      evidences: [{ api: { operation: 'exec' }, data: { evidence: 'rm -rf /' } }],
    },
  ],
  ['sensitive_file_access.detected', 'denied', { ...TOOL, category: 'secret' }, { type_uid: 200401, ...denied(2) }],
  ['auth.failure_burst.detected', 'success', { category: 'auth' }, { type_uid: 200401, action_id: 3 }],
  ['gateway.auth.locked', 'success', { category: 'auth' }, { type_uid: 300201 }],
  [
    'secret.read',
    'success',
    { category: 'secret', 'target.name': 'vault' },
    { type_uid: 600399, activity_name: 'secret.read', api: { operation: 'vault' } },
  ],
  ['config.changed', 'success', { category: 'config' }, { type_uid: 600299 }],
  ['channel.access', 'denied', { category: 'channel' }, { type_uid: 200401, ...denied(2) }],
]

test.each(ACTIONS)('%s (%s) becomes a valid event', (action, outcome, attributes, expected) => {
  for (const resource of [GATEWAY, {}]) {
    const { json, id } = gatewayEvent(
      { event_id: ID, action, outcome, severity: 'medium', ...attributes },
      'openclaw',
      resource as typeof GATEWAY,
    )
    expect(ocsfFaults(json)).toEqual([])
    expect(json).toMatchObject({ severity_id: 3, metadata: { uid: ID, event_code: action, original_event_uid: ID } })
    expect(id).toBe(ID)
    if (resource === GATEWAY) expect(json).toMatchObject(expected)
  }
})

test('every action of the mapping is among them', () => {
  const tested = new Set(ACTIONS.map(([action]) => action))
  expect(Object.keys(GATEWAY_ACTIONS).filter(action => !tested.has(action))).toEqual([])
})

describe('the gateway', () => {
  test('says itself how grave its events are', () => {
    const grade = (severity: string) => gatewayEvent({ action: 'config.changed', severity }).json.severity_id
    expect(['info', 'low', 'medium', 'high', 'critical', 'odd'].map(grade)).toEqual([1, 2, 3, 4, 5, 3])
  })

  test('may be called otherwise', () => {
    const { json, id } = gatewayEvent({ event_id: ID, action: 'device.pairing.removed', severity: 'high' }, 'acme')
    expect(ocsfFaults(json)).toEqual([])
    expect(json).toMatchObject({ type_uid: 300407, severity_id: 4 })
    expect(id).toBe(ID)
    const other = eventOf(
      { attributes: { 'openclaw.security.action': 'device.pairing.removed' } },
      'ocsf',
      {},
      { gatewayPrefix: 'acme' },
    )
    expect(other.json.class_uid).toBe(0)
  })

  test.each(['x', 'with space!', '"quoted"', 'a'.repeat(129), ''])('has no say in ids with %j', event_id => {
    const { json, id } = gatewayEvent({ event_id, action: 'config.changed' })
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(json.metadata).toMatchObject({ uid: id })
  })

  test('gives way to a class that the record names', () => {
    const attributes = { 'ocsf.class_uid': 6008, 'openclaw.security.action': 'device.pairing.removed' }
    expect(eventOf({ attributes }, 'ocsf').json.class_uid).toBe(6008)
  })

  test('leaves what has no place in unmapped, and tells nothing twice', () => {
    const { json } = gatewayEvent({
      event_id: ID,
      action: 'exec.approval.approved',
      outcome: 'success',
      'attribute.host': 'node',
      'policy.decision': 'allow',
      ...TOOL,
    })
    expect(json.unmapped).toEqual({
      'openclaw.security.attribute.host': 'node',
      'openclaw.security.policy.decision': 'allow',
      'openclaw.security.actor.kind': 'agent',
      'openclaw.security.target.kind': 'tool',
    })
  })

  test('and the record’s own attributes say more of one thing', () => {
    const attributes = {
      'openclaw.security.action': 'gateway.auth.failed',
      'openclaw.security.actor.device_id_hash': 'sha256:a',
      'user.name': 'eve',
      'client.address': '10.0.0.1',
      'exception.message': 'no',
    }
    const { json } = eventOf({ attributes }, 'ocsf', { resource: GATEWAY })
    expect(ocsfFaults(json)).toEqual([])
    expect(json).toMatchObject({
      user: { uid: 'sha256:a', name: 'eve' },
      src_endpoint: { ip: '10.0.0.1' },
      status_detail: 'no',
    })
  })
})

const SUFFIXES =
  'event_id category action outcome severity reason actor.kind actor.id_hash actor.device_id_hash actor.role target.kind target.id_hash target.name target.owner policy.id policy.reason control.id attribute.evidence'.split(
    ' ',
  )

test('any security record becomes a valid event, and no hash a name that can be searched for', () => {
  const value = fc.oneof(
    fc.constantFrom(
      'auth',
      'tool',
      'plugin',
      'device',
      'success',
      'denied',
      'error',
      'high',
      'sha256:0123456789ab',
      'plugin',
    ),
    fc.constantFrom(...Object.keys(GATEWAY_ACTIONS), 'x.detected', 'plugin.installed'),
    fc.string(),
  )
  const attributes = fc.dictionary(fc.constantFrom(...SUFFIXES), value, { maxKeys: 12 })
  const resource = fc.dictionary(fc.constantFrom('service.name', 'host.name'), fc.string({ minLength: 1 }), {
    maxKeys: 2,
  })
  fc.assert(
    fc.property(attributes, resource, (own, around) => {
      const { json } = gatewayEvent({ action: 'some.action', ...own }, 'openclaw', around)
      expect(ocsfFaults(json)).toEqual([])
      const named = (json.observables ?? []) as { readonly type_id: number; readonly value: string }[]
      expect(named.filter(({ value }) => value.startsWith('sha256:') && value !== around['host.name'])).toEqual([])
    }),
    { numRuns: 400 },
  )
})

const RECORDED = readFileSync(join(import.meta.dirname, '../testdata/agent-gateway-security.json'))

test.each(['ocsf', 'ecs', 'flat', 'cef', 'leef'] as const)('the records of a gateway as %s', async format => {
  const { payload } = admitJson('logs', RECORDED)
  const events = eventsOf(payload, mappingOf(format))
  expect(events.map(({ id }) => id)).toEqual([
    ID,
    '0d6a5b9e-8f0e-4a87-9a0a-41f9a0c8e7d2',
    'c1d7a9a2-11f4-4f77-8d1c-0b8d9f3b2a55',
  ])
  const isText = format === 'cef' || format === 'leef'
  const texts = events.map(({ text }) => (isText ? text : JSON.stringify(JSON.parse(text), null, 2)))
  if (format === 'ocsf') for (const { text } of events) expect(ocsfFaults(JSON.parse(text))).toEqual([])
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(`../testdata/agent-gateway-security.${format}.txt`)
})
