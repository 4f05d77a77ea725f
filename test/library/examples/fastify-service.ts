import { randomBytes } from 'node:crypto'
import { type FastifyInstance, fastify } from 'fastify'
import { createCollector, defineConfig } from 'millrace'
import { otlpHttp } from 'millrace/exporters/otlp_http'
import { batch } from 'millrace/processors/batch'
import { resource } from 'millrace/processors/resource'
import { memory as memoryReceiver } from 'millrace/receivers/memory'

/** A service whose requests become spans, which leave through a collector of its own: batched, queued, tried again. */
export async function createService(options: { readonly backend: string }): Promise<FastifyInstance> {
  const spans = memoryReceiver()
  const collector = createCollector(
    defineConfig({
      components: [spans, resource, batch, otlpHttp],
      receivers: { memory: {} },
      processors: {
        resource: { attributes: [{ key: 'service.name', value: 'orders', action: 'upsert' }] },
        batch: { timeout: '50ms' },
      },
      exporters: { otlp_http: { endpoint: options.backend } },
      service: {
        pipelines: {
          traces: { receivers: ['memory'], processors: ['resource', 'batch'], exporters: ['otlp_http'] },
        },
      },
    }),
  )

  const app = fastify()
  app.addHook('onReady', async () => void (await collector.start()))
  // What was accepted leaves before the service does.
  app.addHook('onClose', () => collector.shutdown(5_000))

  app.addHook('onResponse', async (request, reply) => {
    const end = Date.now()
    const span = {
      traceId: randomBytes(16),
      spanId: randomBytes(8),
      name: `${request.method} ${request.routeOptions.url}`,
      kind: 2,
      startTimeUnixNano: BigInt(Math.round(end - reply.elapsedTime)) * 1_000_000n,
      endTimeUnixNano: BigInt(end) * 1_000_000n,
      attributes: [{ key: 'http.response.status_code', value: { intValue: reply.statusCode } }],
    }
    await spans.traces({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  })

  app.get('/orders/:id', async request => ({ id: (request.params as { id: string }).id }))
  app.get('/readyz', async (_request, reply) => {
    const failing = collector.status().filter(({ status }) => status !== 'OK')
    return reply.code(failing.length === 0 ? 200 : 503).send(failing)
  })
  app.get('/metrics', async (_request, reply) => reply.type('text/plain').send(await collector.metricsText()))
  return app
}
