/**
 * Senders that do not wait: each line of JSON on standard input is an {@link OverloadJob}, answered with its
 * {@link OverloadOutcome}. With a rate, requests are due whether earlier ones were answered or not.
 */
import { connect } from 'node:http2'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { requestBytes } from '../bench/workload.ts'

export interface OverloadJob {
  readonly protocol: 'grpc' | 'http'
  readonly port: number
  /** Spans a request. */
  readonly items: number
  readonly seconds: number
  /** Requests a second; without it as many as are answered. */
  readonly rate?: number
  /** Requests in flight at most; what is due beyond that is never sent. */
  readonly inFlight: number
}

/** Requests. */
export interface OverloadOutcome {
  readonly accepted: number
  /** Answered with something else, by status: gRPC codes, HTTP statuses. */
  readonly refused: Readonly<Record<string, number>>
  /** Refusals that said when to come again. */
  readonly hinted: number
  /** Sent and never answered. */
  readonly lost: number
  /** Due and never sent, because too many were in flight. */
  readonly unsent: number
  readonly seconds: number
}

/** What came of one request; `undefined`: no answer. */
interface Answer {
  readonly status: string
  readonly ok: boolean
  readonly hint: boolean
}
type Send = (body: Buffer) => Promise<Answer | undefined>

const VARIANTS = 8
const TICK = 5

async function run(job: OverloadJob): Promise<OverloadOutcome> {
  const bodies = Array.from({ length: VARIANTS }, (_, i) => requestBytes('traces', job.items, i + 1))
  const { send, close } = job.protocol === 'grpc' ? grpcSender(job.port) : httpSender(job.port)
  const refused: Record<string, number> = {}
  const outcome = { accepted: 0, hinted: 0, lost: 0, unsent: 0 }
  let inFlight = 0
  let sent = 0
  const { promise: answered, resolve: allAnswered } = Promise.withResolvers<void>()
  const one = async () => {
    inFlight++
    const answer = await send(bodies[sent++ % VARIANTS]!)
    inFlight--
    if (answer === undefined) outcome.lost++
    else if (answer.ok) outcome.accepted++
    else {
      refused[answer.status] = (refused[answer.status] ?? 0) + 1
      if (answer.hint) outcome.hinted++
    }
    if (over && inFlight === 0) allAnswered()
  }
  let over = false
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  while (elapsed() < job.seconds) {
    const due = job.rate === undefined ? Number.POSITIVE_INFINITY : elapsed() * job.rate - sent - outcome.unsent
    const room = job.inFlight - inFlight
    for (let i = 0; i < Math.min(due, room); i++) void one()
    if (due !== Number.POSITIVE_INFINITY && due > room) outcome.unsent += Math.floor(due - room)
    await new Promise(resolve => setTimeout(resolve, TICK))
  }
  const seconds = elapsed()
  over = true
  if (inFlight > 0) await answered
  await close()
  return { ...outcome, refused, seconds }
}

/** Of a server that has stopped answering, requests are given up after so many milliseconds. */
const PATIENCE = 60_000

const HEADERS = {
  ':method': 'POST',
  ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  'content-type': 'application/grpc',
  te: 'trailers',
}

function grpcSender(port: number): { send: Send; close: () => Promise<void> } {
  const sessions = Array.from({ length: 4 }, () => connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1000 }))
  for (const session of sessions) session.on('error', () => {})
  let next = 0
  const send: Send = body =>
    new Promise(resolve => {
      const stream = sessions[next++ % sessions.length]!.request(HEADERS)
      let status: string | undefined
      let hint = false
      const see = (headers: Record<string, unknown>) => {
        status = (headers['grpc-status'] as string | undefined) ?? status
        hint ||= headers['grpc-status-details-bin'] !== undefined
      }
      stream.on('response', see).on('trailers', see)
      stream.on('data', () => {}).on('error', () => {})
      stream.on('close', () => resolve(status === undefined ? undefined : { status, ok: status === '0', hint }))
      stream.setTimeout(PATIENCE, () => stream.close())
      const prefix = Buffer.alloc(5)
      prefix.writeUInt32BE(body.length, 1)
      stream.write(prefix)
      stream.end(body)
    })
  return {
    send,
    close: async () => void (await Promise.all(sessions.map(each => new Promise<void>(done => each.close(done))))),
  }
}

function httpSender(port: number): { send: Send; close: () => Promise<void> } {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, headersTimeout: PATIENCE })
  const headers = { 'content-type': 'application/x-protobuf' }
  const send: Send = async body => {
    try {
      const answer = await pool.request({ method: 'POST', path: '/v1/traces', headers, body })
      await answer.body.dump()
      const status = String(answer.statusCode)
      return { status, ok: status === '200', hint: answer.headers['retry-after'] !== undefined }
    } catch {
      return undefined
    }
  }
  return { send, close: () => pool.close() }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await run(JSON.parse(line) as OverloadJob)))
}
