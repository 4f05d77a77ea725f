import { expect, test } from 'vitest'
import { openDraft } from '#core/data'
import { FakeClock, logs, metrics, type PlainAttributes } from '#core/testing'
import { ResourceMemory } from './resource-memory.ts'

function memory() {
  const clock = new FakeClock()
  const resources = new ResourceMemory(clock)
  return {
    clock,
    learn: (resource: PlainAttributes) => resources.learn(openDraft(metrics(1, { resource }))),
    complete(resource: PlainAttributes): object {
      const draft = openDraft(logs(1, { resource }))
      resources.complete(draft)
      const [left] = [...openDraft(draft.seal()).resources()]
      return Object.fromEntries(left!.attributes)
    },
  }
}

const GATEWAY = { 'service.name': 'gateway', 'host.name': 'a', 'process.pid': 1 }

test('logs get the attributes of their service that they lack', () => {
  const { learn, complete } = memory()
  expect(complete({ 'service.name': 'gateway' })).toEqual({ 'service.name': 'gateway' })
  learn(GATEWAY)
  expect(complete({ 'service.name': 'gateway' })).toEqual(GATEWAY)
  expect(complete({ 'service.name': 'gateway', 'process.pid': 7 })).toEqual({ ...GATEWAY, 'process.pid': 7 })
  expect(complete({ 'service.name': 'other' })).toEqual({ 'service.name': 'other' })
})

test('a resource that says less, such as that of the plugin, takes nothing away; a new process counts', () => {
  const { learn, complete } = memory()
  learn(GATEWAY)
  learn({ 'service.name': 'gateway' })
  learn({ 'service.name': 'gateway', 'process.pid': 2 })
  expect(complete({ 'service.name': 'gateway' })).toEqual({ ...GATEWAY, 'process.pid': 2 })
})

test('where two machines bear the name nothing is guessed, until one has gone', async () => {
  const { learn, complete, clock } = memory()
  learn(GATEWAY)
  learn({ ...GATEWAY, 'host.name': 'b' })
  expect(complete({ 'service.name': 'gateway' })).toEqual({ 'service.name': 'gateway' })
  expect(complete({ 'service.name': 'gateway', 'host.name': 'a' })).toEqual(GATEWAY)
  await clock.advance(11 * 60_000)
  learn({ ...GATEWAY, 'host.name': 'b' })
  expect(complete({ 'service.name': 'gateway' })).toEqual({ ...GATEWAY, 'host.name': 'b' })
})

test('a hundred services are remembered', () => {
  const { learn, complete } = memory()
  for (let n = 0; n <= 100; n++) learn({ ...GATEWAY, 'service.name': `s${n}` })
  expect(complete({ 'service.name': 's0' })).toEqual({ 'service.name': 's0' })
  expect(complete({ 'service.name': 's1' })).toEqual({ ...GATEWAY, 'service.name': 's1' })
})
