import { expect, test } from 'vitest'
import {
  type Consumer,
  type Consumers,
  type Distribution,
  defineExporter,
  defineReceiver,
  NO_CONTEXT,
} from '#core/component'
import { t } from '#core/config'
import { admit, openDraft, type Payload } from '#core/data'
import { Collector } from '#core/service'
import { attributesProcessor } from '../../processors/attributes/index.ts'
import { payload } from '../bench/workload.ts'

const NOTHING = t.section({})

test('two branches of one receiver, one editing: the other gets the very payload that came in, and nothing was cloned', async () => {
  let entry: Consumer<'traces'> | undefined
  const arrived = new Map<string, Payload[]>()
  const source = defineReceiver({
    type: 'source',
    description: 'Hands in what the test gives it.',
    stability: { traces: 'stable' },
    config: NOTHING,
    create(_config, next: Consumers) {
      entry = next.traces
      return {}
    },
  })
  const capture = defineExporter({
    type: 'capture',
    description: 'Keeps what arrives.',
    stability: { traces: 'stable' },
    config: NOTHING,
    create(_config, { id }) {
      const payloads: Payload[] = []
      arrived.set(String(id), payloads)
      return { consume: async payload => void payloads.push(payload) }
    },
  })
  const distribution: Distribution = {
    ...{ command: 'test', description: 'test', version: '0' },
    ...{ receivers: [source], processors: [attributesProcessor], exporters: [capture], connectors: [], extensions: [] },
  }
  const config = {
    receivers: { source: {} },
    processors: { attributes: { actions: [{ key: 'tenant', value: 'a', action: 'insert' }] } },
    exporters: { 'capture/plain': {}, 'capture/edited': {} },
    service: {
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
      pipelines: {
        traces: { receivers: ['source'], exporters: ['capture/plain'] },
        'traces/edited': { receivers: ['source'], processors: ['attributes'], exporters: ['capture/edited'] },
      },
    },
  }
  await using collector = new Collector({ distribution, config, env: {} })
  await collector.start()

  const { payload: came } = admit('traces', payload('traces', 100).flat())
  const bytes = Buffer.from(came.flat())
  await entry!.consume(came, NO_CONTEXT)

  const [plain] = arrived.get('capture/plain')!
  const [edited] = arrived.get('capture/edited')!
  expect(plain).toBe(came)
  expect(plain!.flat().equals(bytes)).toBe(true)
  expect(edited).not.toBe(came)
  expect([...openDraft(edited as Payload<'traces'>).spans()].every(span => span.attributes.is('tenant', 'a'))).toBe(
    true,
  )
  expect([...openDraft(came).spans()].some(span => span.attributes.has('tenant'))).toBe(false)
})
