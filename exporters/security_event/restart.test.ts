import { expect, test } from 'vitest'
import { tempDir, until } from '#core/testing'
import { runCollector } from '../../test/e2e/collector.ts'
import { peer, type Reaction } from './targets/peer.test-support.ts'

test('events that wait in storage when the collector stops are sent by the next one, under the same ids', async () => {
  await using dir = await tempDir()
  let answer: Reaction = { status: 503 }
  const taken = new Set<string>()
  await using target = await peer(({ body }) => {
    if (answer !== 'hang' && typeof answer === 'object' && answer.status === 200) {
      for (const event of JSON.parse(body) as Record<string, string>[]) taken.add(event['event.id']!)
    }
    return answer
  })
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:0' } } } },
    exporters: {
      security_event: {
        endpoint: target.url,
        sending_queue: { storage: 'file_storage' },
        batch: { max_events: 7, flush_timeout: '1ms' },
        retry_on_failure: { max_elapsed_time: '0s' },
      },
    },
    extensions: { file_storage: { directory: dir.file('storage'), create_directory: true } },
    service: {
      extensions: ['file_storage'],
      pipelines: { logs: { receivers: ['otlp'], exporters: ['security_event'] } },
    },
  }
  const logRecords = Array.from({ length: 30 }, (_, n) => ({ body: { stringValue: `event ${n}` } }))
  {
    await using running = await runCollector(config)
    const response = await fetch(`http://${running.http}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
    })
    expect(response.status).toBe(200)
    await until(() => target.requests.length > 0)
  }
  expect(taken.size).toBe(0)
  answer = { status: 200 }
  await using _ = await runCollector(config)
  await until(() => taken.size === 30)
  const seen = target.requests.flatMap(({ body }) =>
    (JSON.parse(body) as Record<string, string>[]).map(e => e['event.id']),
  )
  expect(new Set(seen)).toEqual(taken)
  expect(target.requests.every(({ body }) => (JSON.parse(body) as []).length <= 7)).toBe(true)
})
