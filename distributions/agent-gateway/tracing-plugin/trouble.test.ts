import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { OUTBOX } from './outbox.ts'
import { type Answer, builtPlugin, collector, fakeHost } from './rig.test-support.ts'

/** A port on which nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Turns of one tool call each, through the plugin as it is shipped: three spans a turn. */
function turns(host: ReturnType<typeof fakeHost>, count: number): number {
  const begun = performance.now()
  for (let i = 0; i < count; i++) {
    const ids = { runId: `run${i}`, toolCallId: 'call', toolName: 'exec' }
    host.fire('before_tool_call', ids, {})
    host.fire('after_tool_call', ids, {})
    host.fire('agent_end', { ...ids, success: true }, {})
  }
  return (performance.now() - begun) / (count * 3)
}

async function plugin(otel: object) {
  const host = fakeHost({ flushIntervalMs: 1000, ...otel })
  ;(await builtPlugin()).register(host.api)
  return host
}

describe('a collector', () => {
  test.each<[string, () => Answer, string]>([
    ['that refuses', () => 400, 'refused'],
    ['that sends elsewhere', () => 302, 'refused'],
    ['that hangs up', () => 'hang up', 'stopped'],
    ['that is overloaded', () => 503, 'stopped'],
  ])('%s costs spans, which are counted, and one line of the log', async (_, answer, reason) => {
    await using bad = await collector(answer)
    await using good = await collector()
    const host = await plugin({ tracesEndpoint: `${bad.url}/v1/traces`, metricsEndpoint: `${good.url}/v1/metrics` })
    turns(host, 100)
    await host.stop()
    expect(bad.spans().length).toBeGreaterThan(0)
    const dropped = good.points().filter(point => point.name === 'openclaw.tracing.dropped_spans')
    expect(dropped).toMatchObject([{ value: 300, attributes: { reason } }])
    expect(host.lines.filter(line => line.includes('cannot be sent'))).toHaveLength(1)
  })

  test('that is not there costs nothing but spans: hooks stay quick, what waits stays bounded', async () => {
    await using good = await collector()
    const tracesEndpoint = `http://127.0.0.1:${await deadPort()}/v1/traces`
    const host = await plugin({ tracesEndpoint, metricsEndpoint: `${good.url}/v1/metrics` })
    const milliseconds = turns(host, 5000)
    expect(milliseconds).toBeLessThan(5)
    await host.stop()
    const dropped = good.points().filter(point => point.name === 'openclaw.tracing.dropped_spans')
    expect(Object.fromEntries(dropped.map(({ attributes, value }) => [attributes.reason, value]))).toEqual({
      full: 15_000 - OUTBOX.spans,
      stopped: OUTBOX.spans,
    })
    expect(host.lines.filter(line => line.includes('ECONNREFUSED'))).toHaveLength(1)
  })

  test('that never answers does not keep the gateway from stopping', async () => {
    await using slow = await collector(() => 'silence')
    const host = await plugin({ endpoint: slow.url, metrics: false })
    turns(host, 10)
    const begun = performance.now()
    await host.stop()
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(host.lines.at(-1)).toContain('the collector did not answer in time')
  })
})

describe('the gateway', () => {
  test('registers the plugin for each of its parts, and a turn whose hooks come through several is still one', async () => {
    await using sink = await collector()
    const parts = [fakeHost({ endpoint: sink.url }), fakeHost({ endpoint: sink.url })] as const
    for (const part of parts) (await builtPlugin()).register(part.api)
    parts[0].fire('before_tool_call', { runId: 'r', toolCallId: 'c', toolName: 'exec' }, {})
    parts[1].fire('after_tool_call', { runId: 'r', toolCallId: 'c', toolName: 'exec' }, {})
    parts[0].fire('agent_end', { runId: 'r', success: true }, {})
    await parts[1].stop()
    expect(
      sink
        .spans()
        .map(span => span.name)
        .sort(),
    ).toEqual(['openclaw.agent.turn', 'openclaw.request', 'tool.exec'])
  })

  test('gets nothing back from a hook, and gives its stop the time to flush', async () => {
    await using sink = await collector()
    const host = await plugin({ endpoint: sink.url })
    const gate = host.fire('before_tool_call', { runId: 'r', toolCallId: 'c', toolName: 'exec' }, {})
    expect(gate).toEqual([undefined])
    await Promise.all(host.fire('gateway_stop', {}, {}))
    expect(sink.spans()).toHaveLength(3)
  })

  test('has spans of its start and of commands, where that is switched on', async () => {
    await using folder = await tempDir()
    writeFileSync(join(folder.path, 'settings.json'), '{"lifecycleSpans":true}')
    await using sink = await collector()
    const host = fakeHost({ endpoint: sink.url }, { rootDir: folder.path })
    ;(await builtPlugin()).register(host.api)
    host.fire('gateway_start', {}, {})
    host.fire('command:new', {}, {})
    await host.stop()
    expect(sink.spans().map(span => span.name)).toEqual(['openclaw.gateway.startup', 'openclaw.command.new'])
  })

  test('is told why nothing is exported, and is never thrown at', async () => {
    const { register } = await builtPlugin()
    const host = fakeHost({ enabled: false })
    register(host.api)
    expect(host.lines).toEqual(['millrace-tracing: nothing is exported: diagnostics.otel.enabled is not true'])
    expect(host.handlers.size).toBe(0)
    for (const api of [
      {},
      { config: null },
      {
        get config() {
          throw new Error('no')
        },
      },
    ]) {
      expect(() => register(api)).not.toThrow()
    }
  })
})
