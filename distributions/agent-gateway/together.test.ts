import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Component, type Consumer, NO_CONTEXT } from '#core/component'
import { admit, type Payload } from '#core/data'
import { configure, Sink, testContext } from '#core/testing'
import { agentGatewayProcessor } from '../../processors/agent_gateway/index.ts'
import { faultsOf } from './tracing-plugin/rehearsal.test-support.ts'
import {
  builtPlugin,
  collector,
  fakeHost,
  type ReadSpan,
  readSpans,
  recordedTogether,
  replay,
  tree,
} from './tracing-plugin/rig.test-support.ts'

/**
 * One gateway, 2026.4.25, recorded with its own exporter on and the plugin loaded: what the exporter sent, and the hooks
 * of the same turns, from which the plugin makes its spans here.
 */
const BUILT_IN = ['built-in-1.pb', 'built-in-2.pb'].map(file =>
  readFileSync(join(import.meta.dirname, 'tracing-plugin/testdata/together', file)),
)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

async function fromPlugin(): Promise<Buffer[]> {
  await using sink = await collector()
  const otel = { endpoint: sink.url, serviceName: 'openclaw-gateway' }
  const host = fakeHost(otel, { version: '2026.4.25' })
  ;(await builtPlugin()).register(host.api)
  replay(host, recordedTogether())
  await host.stop()
  return sink.requests.filter(each => each.path === '/v1/traces').map(each => each.body)
}

/** What leaves the processor of the distribution of what comes in one window after the other. */
async function throughProcessor(...windows: readonly (readonly Buffer[])[]): Promise<ReadSpan[]> {
  const context = testContext({ id: 'agent_gateway', kind: 'processor', signals: ['traces'], pipelines: ['traces'] })
  const sink = new Sink<'traces'>()
  const config = configure(agentGatewayProcessor.config, {})
  const processor = agentGatewayProcessor.create(config, 'traces', sink as Consumer, context) as Component &
    Consumer<'traces'>
  for (const bodies of windows) {
    const done = bodies.map(body => processor.consume(admit('traces', body).payload as Payload<'traces'>, NO_CONTEXT))
    await context.fakeClock.advance(2000)
    await Promise.all(done)
  }
  await processor.shutdown?.()
  return sink.payloads.flatMap(payload => readSpans(Buffer.from(payload.flat())))
}

const sum = (spans: readonly ReadSpan[], key: string) =>
  spans.reduce((total, { attributes }) => total + Number(attributes[key] ?? 0), 0)

test('the spans of the plugin are the parents that the built-in spans miss', async () => {
  const builtIn = BUILT_IN.flatMap(readSpans)
  expect(faultsOf(builtIn).filter(fault => fault.endsWith('misses its parent'))).toHaveLength(11)
  const both = [...builtIn, ...(await fromPlugin()).flatMap(readSpans)]
  expect(faultsOf(both)).toEqual([])
})

const TURN = [
  'openclaw.request',
  '  openclaw.agent.turn',
  '    openclaw.context.assembled',
  '    chat mock-1',
  '    tool.exec',
  '      openclaw.exec',
  '    chat mock-1',
]

test.each([
  ['the exporter first', (plugin: Buffer[]) => [...BUILT_IN, ...plugin]],
  ['the plugin first', (plugin: Buffer[]) => [...plugin, ...BUILT_IN]],
])('together, %s, they are one tree a turn, and nothing is counted twice', async (_, order) => {
  const left = await throughProcessor(order(await fromPlugin()))
  expect(faultsOf(left)).toEqual([])
  expect(tree(left)).toEqual([...TURN, ...TURN])
  expect(sum(left, 'gen_ai.usage.input_tokens')).toBe(480)
  expect(sum(left, 'gen_ai.usage.output_tokens')).toBe(68)
  expect(sum(left, 'openclaw.tokens.input')).toBe(400)
  expect(sum(left, 'openclaw.llm.cost_usd')).toBeCloseTo(0.000544)
})

test('they are one tree a turn even where the plugin comes too late to be seen together', async () => {
  const left = await throughProcessor(BUILT_IN, await fromPlugin())
  expect(faultsOf(left)).toEqual([])
})
