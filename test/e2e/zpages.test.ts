import { expect, test } from 'vitest'
import { until } from '#core/testing'
import { OTLP_ON_FREE_PORTS, runCollector } from './collector.ts'
import { postEachSignal } from './own-telemetry.test-support.ts'

test('the pages of a running collector show its pipelines and spans, and no secret', async () => {
  await using running = await runCollector({
    receivers: { otlp: OTLP_ON_FREE_PORTS },
    processors: { batch: {} },
    exporters: {
      nop: {},
      'otlp_http/away': {
        endpoint: 'http://user:hunter2@127.0.0.1:1',
        headers: { authorization: 'Bearer hunter3' },
        sending_queue: { enabled: false },
        retry_on_failure: { enabled: false },
      },
    },
    extensions: { zpages: { endpoint: '127.0.0.1:0', expvar: { enabled: true } } },
    service: {
      extensions: ['zpages'],
      pipelines: {
        traces: { receivers: ['otlp'], processors: ['batch'], exporters: ['nop'] },
        logs: { receivers: ['otlp'], exporters: ['otlp_http/away'] },
        metrics: { receivers: ['otlp'], exporters: ['nop'] },
      },
    },
  })
  const address = running.logs.find(line => line.msg === 'Starting zPages extension')?.endpoint
  const get = async (path: string) => (await fetch(`http://${address}/debug/${path}`)).text()
  const away = 'zpipelinename=logs&zcomponentkind=exporter&zcomponentname=otlp_http/away'
  const pages = [await get('servicez'), await get(`pipelinez?${away}`), await get('featurez'), await get('expvarz')]
  expect(pages[1]).toContain('[REDACTED]')
  expect(pages[1]).toContain('Status: OK')
  expect(pages[2]).toContain('service.profilesSupport')
  await postEachSignal(running.http)
  await until(async () => {
    pages.push(await get('tracez'))
    return pages.at(-1)?.includes('receiver/otlp/LogsReceived') ?? false
  })
  pages.push(
    await get('tracez?zspanname=receiver/otlp/LogsReceived&ztype=2'),
    await get('extensionz?zextensionname=zpages'),
  )
  expect(pages.at(-2)).toContain('refused_log_records = 1')
  expect(pages.join()).not.toMatch(/hunter/)
})
