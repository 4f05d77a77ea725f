import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { encode } from '#core/data'
import { decodeOtlp, tempDir, until } from '#core/testing'
import { Program } from './process.ts'

const SENDERS = 8
const SPANS = 20

interface Request {
  readonly resourceSpans: { readonly scopeSpans: { readonly spans: { readonly name: string }[] }[] }[]
}

/** A backend that answers every fifth request with 503 and remembers the names of the spans in the others. */
async function fussyBackend(): Promise<{ url: string; names: Set<string>; refused: number } & AsyncDisposable> {
  const names = new Set<string>()
  const state = { url: '', names, refused: 0 }
  let requests = 0
  const server = createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', chunk => body.push(chunk))
    request.on('end', () => {
      if (++requests % 5 === 0) {
        state.refused++
        response.writeHead(503, { 'retry-after': '0' }).end()
        return
      }
      const { resourceSpans } = decodeOtlp('traces', Buffer.concat(body)) as unknown as Request
      for (const { scopeSpans } of resourceSpans)
        for (const { spans } of scopeSpans) for (const { name } of spans) names.add(name)
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  })
}

function config(backend: string, processors: readonly string[]): string {
  return JSON.stringify({
    receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:0' } } } },
    processors: { batch: { timeout: '50ms' } },
    exporters: {
      otlphttp: {
        endpoint: backend,
        compression: 'none',
        retry_on_failure: { initial_interval: '200ms' },
        sending_queue: { queue_size: 100_000, drain_timeout: '60s' },
      },
    },
    service: {
      telemetry: { logs: { encoding: 'json' }, metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], processors, exporters: ['otlphttp'] } },
    },
  })
}

test.each([
  ['with batch', ['batch']],
  ['without processors', []],
])(
  'SIGTERM under load, a backend that refuses a fifth, %s: all that was acknowledged arrives',
  async (_, processors) => {
    await using dir = await tempDir()
    await using backend = await fussyBackend()
    const file = dir.file('config.yaml')
    await writeFile(file, config(backend.url, processors))
    await using program = new Program(['--config', file, '--shutdown-timeout=90s'])
    await until(() => program.endpoint('Starting HTTP server') !== undefined)
    const url = `http://${program.endpoint('Starting HTTP server')}/v1/traces`

    const acknowledged: string[] = []
    let stopped = false
    const send = async (sender: number) => {
      for (let i = 0; !stopped; i++) {
        const names = Array.from({ length: SPANS }, (_unused, n) => `${sender}/${i}/${n}`)
        const body = encode('traces', { resourceSpans: [{ scopeSpans: [{ spans: names.map(name => ({ name })) }] }] })
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf' },
          body,
        }).catch(() => undefined)
        if (answer?.status === 200) acknowledged.push(...names)
        else if (answer === undefined) return
      }
    }
    const senders = Array.from({ length: SENDERS }, (_unused, sender) => send(sender))
    await until(() => backend.refused > 20 && acknowledged.length > 20_000, { timeout: 15_000 })
    program.signal('SIGTERM')
    const { code } = await program.exit
    stopped = true
    await Promise.all(senders)

    expect(code).toBe(0)
    const ledger = program.logs().find(line => line.msg === 'Shutdown complete.')?.ledger
    expect({ lost: acknowledged.filter(name => !backend.names.has(name)), ledger }).toMatchObject({
      lost: [],
      ledger: { exporters: { otlphttp: { queued: 0, dropped: {} } } },
    })
  },
  120_000,
)
