import assert from 'node:assert/strict'
import { startBackend } from './backend.ts'

/** Calls the handler twice; each time the backend has the record when the handler returns. */
export async function tryServerlessHandler(env: Record<string, string | undefined>): Promise<void> {
  await using backend = await startBackend()
  env.BACKEND = backend.endpoint
  const { handler, shutdown } = await import('./serverless-handler.ts')
  for (const [i, name] of ['Ada', 'Grace'].entries()) {
    assert.deepEqual(await handler({ name }), { greeting: `Hello, ${name}` })
    assert.deepEqual(
      backend.arrived.logRecords().map(({ body }) => body),
      ['Greeting Ada', 'Greeting Grace'].slice(0, i + 1),
    )
  }
  await shutdown()
}
