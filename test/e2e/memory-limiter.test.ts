import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { credentials, Client as GrpcClient, type ServiceError } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { admit } from '#core/data'
import { processMemory } from '#core/memory'
import { until } from '#core/testing'
import { requestBytes } from '../bench/workload.ts'
import { OTLP_ON_FREE_PORTS, runCollector } from './collector.ts'

const ITEMS = 2500
const REQUEST = requestBytes('traces', ITEMS)

/** A backend that holds every request until `release`, and counts what it then answered. */
async function stalledBackend() {
  const waiting: (() => void)[] = []
  const state = { items: 0, open: false }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = () => {
        state.items += admit('traces', Buffer.concat(chunks)).payload.items
        response.writeHead(200).end()
      }
      if (state.open) answer()
      else waiting.push(answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    state,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release() {
      state.open = true
      for (const answer of waiting.splice(0)) answer()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A soft limit 30 MiB above what this process uses now, and a hard limit 20 MiB above that. */
function aLittleMore(): object {
  processMemory.collect()
  return {
    check_interval: '50ms',
    limit_mib: Math.ceil(processMemory.read().used / (1 << 20)) + 50,
    spike_limit_mib: 20,
    min_gc_interval_when_soft_limited: '100ms',
    max_gc_interval_when_soft_limited: '200ms',
    max_gc_interval_when_hard_limited: '200ms',
  }
}

interface Answer {
  readonly accepted: boolean
  /** Status and text. */
  readonly refusal: readonly [number, string]
  /** Whether the sender was told when to come again. */
  readonly hint: boolean
}

async function post(address: string): Promise<Answer> {
  const headers = { 'content-type': 'application/x-protobuf' }
  const answer = await fetch(`http://${address}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(REQUEST) })
  const text = await answer.text()
  return {
    accepted: answer.status === 200,
    refusal: [answer.status, text],
    hint: Number(answer.headers.get('retry-after')) >= 1,
  }
}

function call(client: GrpcClient): Promise<Answer> {
  const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
  const same = (bytes: Buffer) => bytes
  return new Promise(resolve => {
    client.makeUnaryRequest(path, same, same, REQUEST, (error: ServiceError | null) => {
      resolve({
        accepted: error === null,
        refusal: [error?.code ?? 0, error?.details ?? ''],
        hint: (error?.metadata.get('grpc-status-details-bin').length ?? 0) > 0,
      })
    })
  })
}

const FORMS = {
  extension: (limiter: object) => ({
    receivers: {
      otlp: {
        protocols: {
          grpc: { ...OTLP_ON_FREE_PORTS.protocols.grpc, middlewares: [{ id: 'memory_limiter' }] },
          http: { ...OTLP_ON_FREE_PORTS.protocols.http, middlewares: [{ id: 'memory_limiter' }] },
        },
      },
    },
    extensions: { memory_limiter: limiter },
    service: {
      extensions: ['memory_limiter'],
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  }),
  processor: (limiter: object) => ({
    receivers: { otlp: OTLP_ON_FREE_PORTS },
    processors: { memory_limiter: limiter },
    service: {
      pipelines: { traces: { receivers: ['otlp'], processors: ['memory_limiter'], exporters: ['otlp_http'] } },
    },
  }),
}

describe.each(['extension', 'processor'] as const)('the memory_limiter %s, with a backend that stalls', form => {
  test.each(['http', 'grpc'] as const)('refuses over %s in a way that senders repeat, and recovers', async protocol => {
    await using backend = await stalledBackend()
    await using running = await runCollector({
      ...FORMS[form](aLittleMore()),
      exporters: {
        otlp_http: {
          endpoint: backend.endpoint,
          compression: 'none',
          timeout: '60s',
          sending_queue: { queue_size: 1000 },
        },
      },
    })
    const client = new GrpcClient(running.grpc, credentials.createInsecure())
    const send = () => (protocol === 'http' ? post(running.http) : call(client))
    let accepted = 0
    let refused: Answer | undefined
    const logged = (message: string) => running.logs.some(({ msg }) => msg === message)
    // The extension may refuse for lack of room a moment before.
    await until(async () => {
      const answer = await send()
      if (answer.accepted) accepted++
      else refused = answer
      return !answer.accepted && logged('Memory usage is above soft limit. Refusing data.')
    })
    expect(accepted).toBeGreaterThan(5)
    expect(accepted).toBeLessThan(100)
    const [status, text] = refused!.refusal
    expect(status).toBe(protocol === 'http' ? 503 : 14)
    expect(text).toContain('data refused due to high memory usage')
    expect(refused!.hint).toBe(true)

    backend.release()
    await until(async () => {
      const answer = await send()
      if (answer.accepted) accepted++
      return answer.accepted
    })
    await until(() => backend.state.items === accepted * ITEMS)
    client.close()
    expect(logged('Memory usage back within limits. Resuming normal operation.')).toBe(true)
  })
})
