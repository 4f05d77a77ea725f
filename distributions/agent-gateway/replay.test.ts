import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { admit, openDraft, type Payload, toJson } from '#core/data'
import { memoryExporter } from '../../exporters/memory/index.ts'
import { OTLP_ON_FREE_PORTS, runCollector } from '../../test/e2e/collector.ts'
import { agentGateway } from './index.ts'

const CONFIG = join(import.meta.dirname, '../../config/agent-gateway.yaml')
const RECORDED = join(import.meta.dirname, '../../processors/agent_gateway/testdata')

/** Every body that was recorded, in order, and how many items it holds. */
const BODIES = [
  ['metrics', '0001_v1_metrics.pb'],
  ['logs', '0002_v1_logs.pb'],
  ['logs', '0022_v1_logs.pb'],
  ['traces', '0023_v1_traces.pb'],
  ['logs', '0054_v1_logs.pb'],
  ['traces', '0057_v1_traces.pb'],
  ['metrics', '0066_v1_metrics.pb'],
] as const

/** Posts a body as the gateway does: protobuf in chunks, without a length; or as JSON. */
function post(url: string, type: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers: { 'content-type': type }, agent: false }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
    request.on('error', reject)
    for (let at = 0; at < body.length; at += 1000) request.write(body.subarray(at, at + 1000))
    request.end()
  })
}

/** The distribution's own configuration, on free ports, into memory. */
async function gateway() {
  const config = parseYaml(readFileSync(CONFIG, 'utf8')) as {
    processors: Record<string, unknown>
    service: { pipelines: Record<string, { exporters: string[] }> }
  }
  for (const pipeline of Object.values(config.service.pipelines)) pipeline.exporters = ['memory']
  const output = memoryExporter()
  const collector = await runCollector(
    {
      ...config,
      receivers: { otlp: OTLP_ON_FREE_PORTS },
      processors: { ...config.processors, agent_gateway: { stitch: { window: '200ms' } } },
      exporters: { memory: null },
      extensions: {},
      service: { pipelines: config.service.pipelines },
    },
    { distribution: { ...agentGateway, exporters: [output] } },
  )
  return { collector, output }
}

test.each(['application/x-protobuf', 'application/json'])(
  'everything recorded leaves the distribution whole, sent as %s: one root a trace, nothing twice, no reply',
  async type => {
    const { collector, output } = await gateway()
    await using running = collector
    let sent = 0
    for (const [signal, file] of BODIES) {
      const { payload } = admit(signal, readFileSync(join(RECORDED, file)))
      sent += payload.items
      const body = type === 'application/json' ? Buffer.from(toJson(payload)) : payload.flat()
      expect(await post(`http://${running.http}/v1/${signal}`, type, body)).toBe(200)
    }
    await output.received(sent - 1)

    const payloads = output.payloads()
    const spans = payloads
      .filter(payload => payload.signal === 'traces')
      .flatMap(payload => [...openDraft(payload as Payload<'traces'>).spans()])
    expect(spans).toHaveLength(16)
    const ids = new Set(spans.map(span => `${span.traceIdHex()}/${span.spanIdHex()}`))
    const parentOf = (span: (typeof spans)[number]) => Buffer.from(span.parentSpanId).toString('hex')
    expect(spans.filter(span => parentOf(span) !== '' && !ids.has(`${span.traceIdHex()}/${parentOf(span)}`))).toEqual(
      [],
    )
    const roots = spans.filter(span => parentOf(span) === '')
    expect(roots.map(span => span.name).sort()).toEqual(['openclaw.harness.run', 'openclaw.message.processed'])
    expect(new Set(spans.map(span => span.traceIdHex())).size).toBe(2)

    const runs = output.dataPoints().filter(point => JSON.stringify(point).includes('openclaw.run.duration_ms'))
    expect(runs).toHaveLength(1)
    const everything = payloads.map(toJson).join('\n')
    for (const text of ['hello from the mock model', 'process.command_args', '--verbose']) {
      expect(everything).not.toContain(text)
    }
    for (const payload of payloads.filter(each => each.signal === 'logs')) {
      for (const { attributes } of openDraft(payload as Payload<'logs'>).resources()) {
        expect(attributes.get('host.name')).toBe('vm')
      }
    }
    const { pipelines } = running.collector.host.ledger()
    expect(pipelines.metrics!.dropped).toEqual({ agent_gateway: 1 })
    for (const { received, created, refused, dropped, queued, delivered } of Object.values(pipelines)) {
      const lost = Object.values(dropped).reduce((sum, items) => sum + items, 0)
      expect(received + created).toBe(refused + lost + queued + delivered)
    }
  },
)
