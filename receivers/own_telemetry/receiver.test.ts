import { expect, test } from 'vitest'
import { configure, Sink, TestHost, testContext } from '#core/testing'
import { checkOwnTelemetry, ownTelemetryConfig } from './config.ts'
import { OwnTelemetryReceiver } from './receiver.ts'

test('asks for own telemetry from start to shutdown, naming the pipelines it feeds', async () => {
  const context = testContext({ id: 'own_telemetry', kind: 'receiver', pipelines: ['metrics/own', 'logs/own'] })
  const next = { metrics: new Sink<'metrics'>(), logs: new Sink<'logs'>() }
  const receiver = new OwnTelemetryReceiver(configure(ownTelemetryConfig, { metrics_interval: '5s' }), next, context)
  const host = new TestHost()
  await receiver.start(host)
  expect([...host.subscribers]).toEqual([next])
  expect(host.subscription).toEqual({ metricsInterval: 5000, pipelines: ['metrics/own', 'logs/own'] })
  await receiver.shutdown()
  expect(host.watchers).toBe(0)
})

test('an interval of nothing is refused', () => {
  expect([...checkOwnTelemetry(configure(ownTelemetryConfig, { metrics_interval: '0s' }))]).toEqual([
    'metrics_interval: must be greater than zero',
  ])
})
