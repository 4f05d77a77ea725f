import { NO_CONTEXT } from '#core/component'
import { type Payload, type PlainLogRecord, type PlainRequests, toJson } from '#core/data'
import {
  aLog,
  aSpan,
  configure,
  logsOf,
  type Otlp,
  type PlainAttributes,
  payloadOf,
  Sink,
  testContext,
  testRouter,
  tracesOf,
} from '#core/testing'
import { detectionsConfig } from './config.ts'
import { DetectionsConnector } from './connector.ts'

/** Attributes of a log record as plain values. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A record that came out. */
export interface Out {
  readonly attributes: Attributes
  readonly record: PlainLogRecord
  readonly resource: Attributes
  readonly scope: string
}

/** A connector between a test and a sink; `spans` and `logs` belong to one configuration, as in a collector. */
export function rig(written: object = {}) {
  const state = new Map<string, object>()
  const context = testContext({ id: 'agent_gateway_detections', kind: 'connector', state })
  const sink = new Sink<'logs'>()
  const connector = new DetectionsConnector(configure(detectionsConfig, written), testRouter(sink), context)
  const consume = (payload: Payload) => connector.consume(payload, NO_CONTEXT)
  const resource = { 'service.name': 'gw', 'host.name': 'h1', 'x.ratio': 0.5 }
  return {
    context,
    sink,
    consume,
    spans: (...spans: Otlp[]) => consume(payloadOf('traces', tracesOf(spans, { resource }))),
    logs: (...records: Otlp[]) => consume(payloadOf('logs', logsOf(records, { resource }))),
    /** The records that arrived, in order. */
    out: () => sink.payloads.flatMap(recordsIn),
    /** The rules that raised them. */
    rules: () => sink.payloads.flatMap(recordsIn).map(({ attributes }) => attributes['rule.id']),
  }
}

export function recordsIn(payload: Payload<'logs'>): Out[] {
  const request = JSON.parse(toJson(payload)) as PlainRequests['logs']
  return (request.resourceLogs ?? []).flatMap(({ resource, scopeLogs }) =>
    (scopeLogs ?? []).flatMap(({ scope, logRecords }) =>
      (logRecords ?? []).map(record => ({
        attributes: plain(record.attributes),
        record,
        resource: plain(resource?.attributes),
        scope: scope?.name ?? '',
      })),
    ),
  )
}

function plain(attributes: PlainLogRecord['attributes'] = []): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value ?? {})[0] as string]))
}

/** The built-in span of a tool call, with content. */
export function toolSpan(
  tool: string,
  input: object | string,
  over: Otlp & { attributes?: PlainAttributes } = {},
  n = 0,
): Otlp {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const attributes = { 'gen_ai.tool.name': tool, 'gen_ai.tool.call.arguments': text, ...over.attributes }
  return aSpan({ name: 'openclaw.tool.execution', kind: 1, ...over, attributes }, n)
}

/** One of the gateway's own security records. */
export function securityLog(action: string, attributes: PlainAttributes = {}, n = 0): Otlp {
  return aLog(
    {
      body: 'openclaw.security.event',
      attributes: { 'openclaw.security.action': action, 'openclaw.security.event_id': `${action} ${n}`, ...attributes },
    },
    n,
  )
}
