import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { decodeOtlp, type Otlp } from '#core/testing'
import { PLUGIN_FOLDER } from './build.ts'
import type { HostApi } from './host.ts'
import { PLUGIN_ID } from './identity.ts'

/** A span as it arrived, read by protobufjs, with its ids in hex and its times in milliseconds. */
export interface ReadSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly start: number
  readonly end: number
  readonly error: string | undefined
  readonly link: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A data point as it arrived. */
export interface ReadPoint {
  readonly name: string
  readonly value: number
  readonly count: number | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** How a collector answers: a status, or not at all. */
export type Answer = number | 'silence' | 'hang up'

/** A collector on a real socket of 127.0.0.1, which keeps what it gets. `await using` closes it. */
export async function collector(answer: () => Answer = () => 200) {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const answered = answer()
      requests.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks) })
      if (answered === 'hang up') request.socket.destroy()
      else if (answered !== 'silence') response.writeHead(answered).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const bodies = (path: string) => requests.filter(each => each.path === path).map(each => each.body)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => bodies('/v1/traces').flatMap(readSpans),
    /** The data points of the last request of metrics. */
    points: () => bodies('/v1/metrics').slice(-1).flatMap(readPoints),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

type Handler = (event: unknown, context: unknown) => unknown

/** A gateway that has only what a plugin sees of it. */
export function fakeHost(otel: object, more: { version?: string; plugins?: object; rootDir?: string } = {}) {
  const handlers = new Map<string, Handler[]>()
  const lines: string[] = []
  const services: { id: string; stop(): Promise<void> }[] = []
  const write = (line: string) => lines.push(line)
  const allowed = { entries: { [PLUGIN_ID]: { enabled: true, hooks: { allowConversationAccess: true } } } }
  const on = (hook: string, handler: Handler) => void handlers.set(hook, [...(handlers.get(hook) ?? []), handler])
  const api: HostApi = {
    config: { diagnostics: { enabled: true, otel: { enabled: true, ...otel } }, plugins: more.plugins ?? allowed },
    logger: { info: write, warn: write },
    runtime: { version: more.version ?? '2026.9.6' },
    ...(more.rootDir === undefined ? {} : { rootDir: more.rootDir }),
    on,
    registerHook: (events, handler) => events.forEach(event => void on(event, handler)),
    registerService(service) {
      services.push(service)
      service.start()
    },
  }
  return {
    ...{ api, handlers, lines, services },
    /** Calls every handler of a hook as the gateway would, and gives what they return. */
    fire: (hook: string, event: unknown, context: unknown) =>
      (handlers.get(hook) ?? []).map(handler => handler(event, context)),
    stop: async () => void (await Promise.all(services.map(service => service.stop()))),
  }
}

/** The plugin as it is shipped. */
export async function builtPlugin(): Promise<{ id: string; register(api: HostApi): void }> {
  return (await import(join(PLUGIN_FOLDER, 'index.mjs'))).default
}

/** A hook as the gateway called it: `t` in milliseconds since 1970. */
export interface RecordedHook {
  readonly t: number
  readonly h: string
  readonly ev: Record<string, unknown>
  readonly ctx: Record<string, unknown>
}

/** The recorded hooks of a version of the gateway, in order. */
export function recorded(version: '2026.4.25' | '2026.9.6'): RecordedHook[] {
  return hooksIn(`hooks-${version}.jsonl`)
}

/** The hooks of 2026.4.25 with access to conversations, recorded while the built-in exporter sent `built-in-*.pb`. */
export function recordedTogether(): RecordedHook[] {
  return hooksIn('together/hooks.jsonl')
}

function hooksIn(file: string): RecordedHook[] {
  const lines = readFileSync(join(import.meta.dirname, 'testdata', file), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => JSON.parse(line))
}

/** Calls hooks at the times they were recorded. The caller has Date faked. */
export function replay(host: ReturnType<typeof fakeHost>, hooks: readonly RecordedHook[]): void {
  for (const { t, h, ev, ctx } of hooks) {
    vi.setSystemTime(t)
    if (h !== 'gateway_stop') host.fire(h, ev, ctx)
  }
}

/** The tree of spans as indented lines, in order of their begin. */
export function tree(spans: readonly ReadSpan[], parent?: string, indent = ''): string[] {
  return spans
    .filter(span => span.parentSpanId === parent)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .flatMap(span => [`${indent}${span.name}`, ...tree(spans, span.spanId, `${indent}  `)])
}

/** The spans of a request. */
export function readSpans(body: Buffer): ReadSpan[] {
  const hex = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('hex')
  return items(decodeOtlp('traces', body), 'resourceSpans', 'scopeSpans', 'spans').map(span => ({
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: span.parentSpanId === undefined ? undefined : hex(span.parentSpanId),
    name: String(span.name),
    kind: Number(span.kind),
    start: Number(BigInt(span.startTimeUnixNano as string) / 1_000_000n),
    end: Number(BigInt(span.endTimeUnixNano as string) / 1_000_000n),
    error: (span.status as Otlp | undefined)?.message as string | undefined,
    link: (span.links as Otlp[] | undefined)?.map(link => hex(link.spanId))[0],
    attributes: plain(span.attributes),
  }))
}

/** The data points of a request. */
export function readPoints(body: Buffer): ReadPoint[] {
  return items(decodeOtlp('metrics', body), 'resourceMetrics', 'scopeMetrics', 'metrics').flatMap(metric => {
    const data = (metric.sum ?? metric.histogram) as { dataPoints: Otlp[] }
    return data.dataPoints.map(point => ({
      name: String(metric.name),
      value: Number(point.asDouble ?? point.sum),
      count: point.count === undefined ? undefined : Number(point.count),
      attributes: plain(point.attributes),
    }))
  })
}

function items(request: Otlp, ...path: readonly string[]): Otlp[] {
  return path.reduce<Otlp[]>((all, name) => all.flatMap(each => (each[name] as Otlp[] | undefined) ?? []), [request])
}

function plain(attributes: unknown): Record<string, unknown> {
  const pairs = (attributes ?? []) as { key: string; value: Record<string, unknown> }[]
  return Object.fromEntries(
    pairs.map(({ key, value }) => {
      const [[kind, inner]] = Object.entries(value) as [[string, unknown]]
      if (kind === 'intValue') return [key, Number(inner)]
      if (kind !== 'arrayValue') return [key, inner]
      return [key, (inner as { values: Record<string, unknown>[] }).values.map(each => Object.values(each)[0])]
    }),
  )
}
