import { createCollector, defineConfig } from 'millrace'
import { memory as memoryExporter } from 'millrace/exporters/memory'
import { otlp as otlpReceiver } from 'millrace/receivers/otlp'

/**
 * What stands in for the telemetry backend here: another collector in the same process, which listens for OTLP/HTTP on a
 * free port and keeps what arrives.
 */
export async function startBackend() {
  const arrived = memoryExporter()
  let endpoint = ''
  const definition = defineConfig({
    components: [otlpReceiver, arrived],
    receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:0' } } } },
    exporters: { memory: {} },
    service: {
      pipelines: {
        traces: { receivers: ['otlp'], exporters: ['memory'] },
        logs: { receivers: ['otlp'], exporters: ['memory'] },
      },
      telemetry: { logs: { level: 'info' } },
    },
  })
  const collector = createCollector({
    ...definition,
    log({ message, fields }) {
      if (message === 'Starting HTTP server') endpoint = `http://${fields.endpoint}`
    },
  })
  await collector.start()
  return { arrived, endpoint, [Symbol.asyncDispose]: () => collector.shutdown() }
}
