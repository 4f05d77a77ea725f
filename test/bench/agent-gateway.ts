import type { Component, ConsumeContext, Consumer } from '#core/component'
import { NO_CONTEXT } from '#core/component'
import { admit, openDraft, type Payload, type Signal } from '#core/data'
import { aSpan, configure, EPOCH, encodeOtlp, idOf, testContext, tracesOf } from '#core/testing'
import { agentGatewayProcessor } from '../../processors/agent_gateway/index.ts'
import { cumulativetodeltaProcessor } from '../../processors/cumulativetodelta/index.ts'

/**
 * What the gateway's processors take of one core: microseconds per span of `agent_gateway`, edited as they pass and
 * stitched, and per data point of `cumulativetodelta`. Stitched spans come as 20,000 a second would: in requests of turns
 * under way at the same time, one more with each request, in the window of two seconds.
 * Run: node test/bench/agent-gateway.ts [seconds of traffic]
 */

const RATE = 20_000
const PER_REQUEST = 200
const WINDOW = 2000
const seconds = Number(process.argv[2] ?? 10)

const NAMES = ['run', 'model.call', 'tool.execution', 'exec', 'context.assembled', 'model.call', 'harness.run', 'run']

class Counting implements Consumer {
  items = 0
  async consume(payload: Payload, _: ConsumeContext): Promise<void> {
    this.items += payload.items
  }
}

/** The spans of `turns` turns, each missing the parent it names, as the gateway sends them. */
function request(n: number, turns: number): Payload<'traces'> {
  const spans = Array.from({ length: PER_REQUEST }, (_, i) => {
    const turn = n + (i % turns)
    const at = EPOCH + BigInt(n) * 10_000_000n
    return aSpan({
      name: `openclaw.${NAMES[i % NAMES.length]}`,
      kind: 1,
      traceId: idOf(16, turn + 1),
      spanId: idOf(8, n * PER_REQUEST + i + 1),
      parentSpanId: idOf(8, 4_000_000_000 - (turn % 1000)),
      startTimeUnixNano: at + BigInt(i) * 1000n,
      endTimeUnixNano: at + BigInt(i) * 1000n + 5_000_000n,
      attributes: {
        'openclaw.provider': 'mock',
        'openclaw.model': 'mock-1',
        'openclaw.channel': 'webchat',
        'openclaw.toolName': 'exec',
        'openclaw.outcome': 'completed',
        'gen_ai.system': 'mock',
        'gen_ai.request.model': 'mock-1',
        'openclaw.content.tool_input': '{"command":"ls"}',
      },
    })
  })
  const resource = { 'service.name': 'gateway', 'host.name': 'h', 'process.command_args': ['node', '--token', 'x'] }
  return admit('traces', encodeOtlp('traces', tracesOf(spans, { scope: 'openclaw', resource }))).payload
}

function made(definition: { config: never }, signal: Signal, written: object) {
  const context = testContext({ id: 'bench', kind: 'processor', signals: [signal], pipelines: [signal] })
  const sink = new Counting()
  // biome-ignore lint/suspicious/noExplicitAny: two definitions with options of their own
  const component = (definition as any).create(configure(definition.config, written), signal, sink, context)
  return { component: component as Component & Consumer, sink, context }
}

const cpu = () => process.cpuUsage().user + process.cpuUsage().system

async function edits(): Promise<number> {
  const { component } = made(agentGatewayProcessor as never, 'traces', { stitch: { enabled: false }, gen_ai: true })
  const transform = (component as unknown as { transform(draft: unknown, context: ConsumeContext): void }).transform
  const payloads = Array.from({ length: 100 }, (_, n) => request(n, 20))
  let items = 0
  let begun = 0
  for (let n = 0; n < (seconds * RATE) / PER_REQUEST + 200; n++) {
    if (n === 200) begun = cpu()
    const payload = payloads[n % payloads.length]!
    const draft = openDraft(payload)
    transform(draft, NO_CONTEXT)
    draft.seal()
    if (n >= 200) items += payload.items
  }
  return (cpu() - begun) / items
}

/** @param turns turns under way at once, whose spans come mixed in the same requests */
async function stitching(turns: number): Promise<number> {
  const { component, sink, context } = made(agentGatewayProcessor as never, 'traces', {
    stitch: { window: `${WINDOW}ms`, max_spans: 1_000_000 },
  })
  const perSecond = RATE / PER_REQUEST
  const waiting: Promise<void>[] = []
  let spent = 0
  for (let n = 0; n < seconds * perSecond; n++) {
    const payload = request(n, turns)
    const begun = cpu()
    waiting.push(component.consume(payload, NO_CONTEXT))
    await context.fakeClock.advance(1000 / perSecond)
    spent += cpu() - begun
  }
  const begun = cpu()
  await context.fakeClock.advance(WINDOW)
  await Promise.all(waiting)
  return (spent + cpu() - begun) / sink.items
}

async function deltas(): Promise<number> {
  const { component, sink } = made(cumulativetodeltaProcessor as never, 'metrics', { initial_value: 'keep' })
  const SERIES = 1000
  let spent = 0
  for (let n = 1; n <= seconds * 10; n++) {
    const dataPoints = Array.from({ length: SERIES }, (_, i) => ({
      asDouble: n * i,
      startTimeUnixNano: EPOCH,
      timeUnixNano: EPOCH + BigInt(n) * 1_000_000_000n,
      attributes: [
        { key: 'openclaw.model', value: { stringValue: `m${i}` } },
        { key: 'openclaw.token', value: { stringValue: 'input' } },
        { key: 'openclaw.channel', value: { stringValue: 'webchat' } },
      ],
    }))
    const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints }
    const body = encodeOtlp('metrics', {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'openclaw.tokens', sum }] }] }],
    })
    const payload = admit('metrics', body).payload
    const begun = cpu()
    await component.consume(payload, NO_CONTEXT)
    spent += cpu() - begun
  }
  return spent / sink.items
}

const line = (what: string, micros: number) => console.log(`${what.padEnd(52)}${micros.toFixed(2).padStart(8)} µs`)
console.log(`${seconds} s of ${RATE.toLocaleString('en')} spans a second, processor time of one core`)
line('agent_gateway, edits only, a span', await edits())
for (const turns of [1, 20, 200])
  line(`agent_gateway, stitching, ${turns} turns at once, a span`, await stitching(turns))
line('cumulativetodelta, a data point', await deltas())
