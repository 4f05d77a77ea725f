import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = `
const [folder] = process.argv.slice(1)
const { createDelivery } = await import(folder + '/index.ts')
const { ComponentId, NO_CONTEXT, RetryableError, systemClock } = await import(folder + '/../component/index.ts')
const { Chunk, Payload } = await import(folder + '/../data/index.ts')
const { trace } = await import('@opentelemetry/api')
const nothing = { add() {}, record() {}, observe: () => () => {} }
const context = {
  id: new ComponentId('test'), signals: ['traces'], clock: systemClock, tracer: trace.getTracer('test'),
  logger: { info() {}, warn() {}, error() {} },
  ledger: { queued() {}, sent: (_, items) => console.log('sent', items), dropped() {}, created() {} },
  meter: { bind: declarations => Object.fromEntries(Object.keys(declarations).map(key => [key, nothing])) },
}
let attempts = 0
const delivery = createDelivery({
  context,
  config: {
    timeout: 5000,
    retry_on_failure: { initial_interval: 60000, randomization_factor: 0, multiplier: 1, max_interval: 60000, max_elapsed_time: 0 },
    sending_queue: { num_consumers: 1, queue_size: 10, sizer: 'requests', drain_timeout: 10000 },
  },
  send: async () => {
    if (++attempts < 4) throw new RetryableError('away')
  },
})
await delivery.start({})
await delivery.consume(new Payload('traces', [new Chunk([Buffer.from([10, 0])], 3)]), NO_CONTEXT)
await delivery.shutdown()
console.log('down', attempts)
`

test('a process with nothing else to do stays alive until its queue is drained', async () => {
  const folder = join(import.meta.dirname)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM, folder])
  expect(stdout).toBe('sent 3\ndown 4\n')
})
