import assert from 'node:assert/strict'
import { startBackend } from './backend.ts'
import { createService } from './fastify-service.ts'

/** Calls the service, and looks at what the backend got once it is closed. */
export async function tryFastifyService(): Promise<void> {
  await using backend = await startBackend()
  const service = await createService({ backend: backend.endpoint })
  await service.ready()
  assert.deepEqual((await service.inject('/orders/17')).json(), { id: '17' })
  assert.equal((await service.inject('/readyz')).statusCode, 200)
  assert.match((await service.inject('/metrics')).body, /otelcol_receiver_accepted_spans/)
  await service.close()
  const spans = backend.arrived.spans().map(({ name, resource, attributes }) => ({ name, resource, attributes }))
  assert.deepEqual(spans[0], {
    name: 'GET /orders/:id',
    resource: { 'service.name': 'orders' },
    attributes: { 'http.response.status_code': 200 },
  })
  assert.equal(spans.length, 3)
}
