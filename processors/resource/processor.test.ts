import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { Chunk, merge, openDraft, Payload } from '#core/data'
import { configure, decodePayload, encodeOtlp, keyValues, logs, metrics, testContext, traces } from '#core/testing'
import { checkResourceConfig, resourceConfig } from './config.ts'
import { ResourceProcessor } from './processor.ts'

function processed(attributes: object[], payload: Payload): Payload {
  const processor = new ResourceProcessor(configure(resourceConfig, { attributes }), testContext())
  const draft = openDraft(payload)
  processor.transform(draft, NO_CONTEXT)
  return draft.seal()
}

const ACTIONS = [
  { key: 'env', action: 'upsert', value: 'prod' },
  { key: 'zone', action: 'insert', from_attribute: 'k8s.zone' },
  { key: 'secret', action: 'delete' },
]
const BEFORE = { 'service.name': 'a', secret: 'x', 'k8s.zone': 'z1', env: 'dev' }
const AFTER = { 'service.name': 'a', 'k8s.zone': 'z1', env: 'prod', zone: 'z1' }

test.each([
  ['traces', traces],
  ['metrics', metrics],
  ['logs', logs],
] as const)('%s: the resource is changed, the records are not', (_, build) => {
  expect(decodePayload(processed(ACTIONS, build(3, { resource: BEFORE })))).toEqual(
    decodePayload(build(3, { resource: AFTER })),
  )
})

test('every resource of a payload is changed, each by its own attributes', () => {
  const payload = merge([traces(1, { resource: BEFORE }), traces(2, { resource: { a: 1 } })])
  expect(decodePayload(processed(ACTIONS, payload))).toEqual(
    decodePayload(merge([traces(1, { resource: AFTER }), traces(2, { resource: { a: 1, env: 'prod' } })])),
  )
})

test('a resource without attributes gets them', () => {
  expect(decodePayload(processed([ACTIONS[0]!], logs(1, { resource: {} })))).toEqual(
    decodePayload(logs(1, { resource: { env: 'prod' } })),
  )
})

test('resources of profiles are changed, too', () => {
  // A resource entry without records has the same bytes for every signal.
  const bytes = (env: object) =>
    encodeOtlp('traces', { resourceSpans: [{ resource: { attributes: keyValues({ a: 1, ...env }) } }] })
  const sealed = processed(ACTIONS.slice(0, 1), new Payload('profiles', [new Chunk([bytes({})], 0)]))
  expect(sealed.flat()).toEqual(bytes({ env: 'prod' }))
})

test('a payload that nothing changes is the very same', () => {
  const payload = traces(3, { resource: { a: 1 } })
  expect(processed([{ key: 'b', action: 'delete' }], payload)).toBe(payload)
})

describe('the configuration', () => {
  test.each([
    [{}, 'missing required field "attributes"'],
    [
      { attributes: [{ action: 'insert', value: 1 }] },
      'error creating AttrProc due to missing required field "key" at the 0-th action',
    ],
  ])('%j is refused', (written, fault) => {
    expect([...checkResourceConfig(configure(resourceConfig, written))]).toEqual([fault])
  })
})
