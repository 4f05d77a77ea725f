/**
 * A load generator. Reads one job a line from standard input, sends it, and prints what came of it.
 */
import { connect } from 'node:http2'
import { createInterface } from 'node:readline'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { Pool } from 'undici'
import { type BenchSignal, requestBytes } from './workload.ts'

export interface Job {
  readonly protocol: 'grpc' | 'http'
  readonly port: number
  readonly compression: 'none' | 'gzip' | 'zstd'
  readonly signal: BenchSignal
  /** Items a request. */
  readonly items: number
  readonly requests: number
  /** Requests in flight. */
  readonly concurrency: number
  /** Requests a second; unlimited when absent. */
  readonly rate?: number
}

export interface Outcome {
  readonly ok: number
  readonly failed: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

const SERVICE = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
}
/** Requests that differ, sent in turn, so that nothing downstream profits from equal bytes. */
const VARIANTS = 8

type Send = (i: number) => Promise<boolean>

async function run(job: Job): Promise<Outcome> {
  const bodies = Array.from({ length: VARIANTS }, (_, i) =>
    compress(requestBytes(job.signal, job.items, i + 1), job.compression),
  )
  const { send, close } = job.protocol === 'grpc' ? grpcSender(job, bodies) : httpSender(job, bodies)
  const latencies: number[] = []
  let next = 0
  let ok = 0
  const started = performance.now()
  async function worker(): Promise<void> {
    while (next < job.requests) {
      const i = next++
      if (job.rate !== undefined) {
        const due = started + (i / job.rate) * 1000
        const wait = due - performance.now()
        if (wait > 1) await new Promise(resolve => setTimeout(resolve, wait))
      }
      const begun = performance.now()
      if (await send(i)) ok++
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: job.concurrency }, worker))
  const seconds = (performance.now() - started) / 1000
  await close()
  latencies.sort((a, b) => a - b)
  const at = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0
  return { ok, failed: job.requests - ok, seconds, p50: at(0.5), p99: at(0.99) }
}

function compress(body: Buffer, compression: Job['compression']): Buffer {
  if (compression === 'gzip') return gzipSync(body, { level: 1 })
  return compression === 'zstd' ? zstdCompressSync(body) : body
}

function grpcSender(job: Job, bodies: readonly Buffer[]): { send: Send; close: () => Promise<void> } {
  const session = connect(`http://127.0.0.1:${job.port}`, { maxSessionMemory: 1000 })
  session.on('error', () => {})
  const headers = {
    ':method': 'POST',
    ':path': SERVICE[job.signal],
    'content-type': 'application/grpc',
    te: 'trailers',
    ...(job.compression === 'none' ? {} : { 'grpc-encoding': job.compression }),
  }
  const messages = bodies.map(body => {
    const prefix = Buffer.alloc(5)
    prefix[0] = job.compression === 'none' ? 0 : 1
    prefix.writeUInt32BE(body.length, 1)
    return Buffer.concat([prefix, body])
  })
  const send: Send = i =>
    new Promise(resolve => {
      const stream = session.request(headers)
      let status = ''
      stream.on('response', h => {
        status = String(h['grpc-status'] ?? status)
      })
      stream.on('trailers', h => {
        status = String(h['grpc-status'] ?? status)
      })
      stream.on('data', () => {})
      stream.on('error', () => {})
      stream.on('close', () => resolve(status === '0'))
      stream.end(messages[i % VARIANTS])
    })
  return { send, close: () => new Promise(resolve => session.close(resolve)) }
}

function httpSender(job: Job, bodies: readonly Buffer[]): { send: Send; close: () => Promise<void> } {
  const pool = new Pool(`http://127.0.0.1:${job.port}`, { connections: job.concurrency })
  const headers: Record<string, string> = { 'content-type': 'application/x-protobuf' }
  if (job.compression !== 'none') headers['content-encoding'] = job.compression
  const send: Send = async i => {
    try {
      const answer = await pool.request({
        method: 'POST',
        path: `/v1/${job.signal}`,
        headers,
        body: bodies[i % VARIANTS]!,
      })
      await answer.body.dump()
      return answer.statusCode === 200
    } catch {
      return false
    }
  }
  return { send, close: () => pool.close() }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await run(JSON.parse(line) as Job)))
}
