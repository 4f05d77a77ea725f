import { createCollector, defineConfig } from 'millrace'
import { otlpHttp } from 'millrace/exporters/otlp_http'
import { memory as memoryReceiver } from 'millrace/receivers/memory'

const logs = memoryReceiver()

/** Made once for each instance of the function, and started by its first call. */
const collector = createCollector(
  defineConfig({
    components: [logs, otlpHttp],
    receivers: { memory: {} },
    exporters: {
      otlp_http: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the collector puts the variable in
        endpoint: '${env:BACKEND}',
        timeout: '2s',
        // The instance may be frozen as soon as it has answered, so nothing is tried for longer than a call may take.
        retry_on_failure: { initial_interval: '100ms', max_interval: '1s', max_elapsed_time: '3s' },
      },
    },
    service: { pipelines: { logs: { receivers: ['memory'], exporters: ['otlp_http'] } } },
  }),
)
let started: Promise<unknown> | undefined

/** Answers an event, and returns only once what there was to tell about it has arrived. */
export async function handler(event: { readonly name: string }): Promise<{ readonly greeting: string }> {
  started ??= collector.start()
  await started
  await tell('INFO', `Greeting ${event.name}`)
  try {
    return { greeting: `Hello, ${event.name}` }
  } finally {
    await collector.flush(4_000)
  }
}

/** Before the instance goes away. */
export const shutdown = () => collector.shutdown(1_000)

function tell(severityText: string, text: string): Promise<void> {
  const record = { timeUnixNano: BigInt(Date.now()) * 1_000_000n, severityText, body: { stringValue: text } }
  return logs.logs({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
}
