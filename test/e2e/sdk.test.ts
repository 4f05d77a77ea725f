import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { decodeOtlp, tempDir, until } from '#core/testing'
import { OTLP_ON_FREE_PORTS, runCollector } from './collector.ts'
import { PROTOCOLS, runApplication } from './sdk.ts'

const SIGNALS = ['traces', 'metrics', 'logs'] as const
type Signal = (typeof SIGNALS)[number]

/** Messages of a file that `file` wrote with `format: proto`: each after its length, 32 bits big endian. */
function messages(bytes: Buffer): Buffer[] {
  const all: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    all.push(bytes.subarray(at + 4, end))
    at = end
  }
  return all
}

function pipelines(exporter: (signal: Signal) => string): object {
  return Object.fromEntries(SIGNALS.map(signal => [signal, { receivers: ['otlp'], exporters: [exporter(signal)] }]))
}

describe.each(PROTOCOLS)('a real SDK over %s, through one collector into a second that writes files', protocol => {
  test.each(['otlp_grpc', 'otlp_http'])('by %s: every item arrives equal, protobuf byte for byte', async exporter => {
    await using dir = await tempDir()
    const file = (signal: Signal) => dir.file(`${signal}.binpb`)
    await using second = await runCollector({
      receivers: { otlp: OTLP_ON_FREE_PORTS },
      exporters: Object.fromEntries(SIGNALS.map(s => [`file/${s}`, { path: file(s), format: 'proto' }])),
      service: { pipelines: pipelines(signal => `file/${signal}`) },
    })
    const endpoint = exporter === 'otlp_grpc' ? second.grpc : `http://${second.http}`
    await using first = await runCollector({
      receivers: { otlp: OTLP_ON_FREE_PORTS },
      exporters: { [exporter]: { endpoint, tls: { insecure: true } } },
      service: { pipelines: pipelines(() => exporter) },
    })

    const sent = await runApplication(protocol, first)

    for (const signal of SIGNALS) {
      expect(sent[signal].length).toBeGreaterThan(0)
      await until(async () => messages(await readFile(file(signal))).length === sent[signal].length)
      const arrived = messages(await readFile(file(signal)))
      // Requests of one signal are sent by several consumers of the queue, so they may overtake each other.
      if (protocol !== 'http/json') expect(sorted(arrived)).toEqual(sorted(sent[signal]))
      expect(decoded(signal, arrived)).toEqual(decoded(signal, sent[signal]))
    }
    const { exporters } = first.collector.host.ledger()
    expect(exporters[exporter]).toMatchObject({ refused: 0, queued: 0, dropped: {} })
    expect(exporters[exporter]?.sent).toBe(exporters[exporter]?.received)
  })
})

function sorted(buffers: readonly Buffer[]): Buffer[] {
  return [...buffers].sort(Buffer.compare)
}

/** Read by protobufjs, in an order that does not depend on the encoding. */
function decoded(signal: Signal, buffers: readonly Buffer[]): unknown[] {
  return buffers
    .map(bytes => decodeOtlp(signal, bytes))
    .map(each => [JSON.stringify(each), each] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each)
}
