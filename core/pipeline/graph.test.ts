import { expect, test } from 'vitest'
import { traces } from '#core/testing'
import { Graph } from './graph.ts'
import { Lab } from './lab.test-support.ts'
import { configured } from './pipeline.test-support.ts'
import { plan } from './plan.ts'
import { TestServices } from './services.test-support.ts'

test('telemetry flows', async () => {
  const lab = new Lab()
  const services = new TestServices()
  const yaml = `
receivers: { probe: }
processors: { probe: , transform: { drop: 2 } }
exporters: { probe: , probe/2: }
service: { pipelines: { traces: { receivers: [probe], processors: [probe, transform], exporters: [probe, probe/2] } } }`
  const graph = Graph.build(plan(configured(yaml, lab.distribution)), services)
  await graph.start()
  await lab.feed('probe', traces(4))
  expect(lab.sinks.get('probe')!.items).toBe(2)
  await graph.shutdown()
  console.log(lab.journal, services.recorded.snapshot(), JSON.stringify(services.ledger.report()))
})
