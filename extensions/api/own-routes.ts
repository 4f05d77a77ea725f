import type { Host, JsonSchema, Route, StatusBoard } from '#core/component'
import { isReady, readinessOf } from './readiness.ts'

/** The routes that are there without any component: how the collector is and what it has counted. */
export function ownRoutes(host: Host, board: StatusBoard, openApi: () => JsonSchema): Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the process is alive',
      responses: {
        200: { description: 'It is', schema: HEALTH },
        503: { description: 'It has met a fatal error and ends', schema: HEALTH },
      },
      handle() {
        const failed = board.status === 'FatalError'
        return { status: failed ? 503 : 200, body: { status: failed ? 'FAILED' : 'OK' } }
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      summary: 'Whether telemetry should be sent here, component by component',
      responses: {
        200: { description: 'Every part is OK or DEGRADED', schema: READINESS },
        503: { description: 'A part is STARTING or FAILED', schema: READINESS },
      },
      handle() {
        const answer = readinessOf(board, host.readiness())
        return { status: isReady(answer.status) ? 200 : 503, body: answer }
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      summary: "The collector's own metrics in the Prometheus text format",
      responses: { 200: { description: 'The metrics' } },
      async handle() {
        const { contentType, body } = await host.metricsText()
        return { headers: { 'content-type': contentType }, body }
      },
    },
    {
      method: 'GET',
      path: '/openapi.json',
      summary: 'What is served here, as an OpenAPI document',
      responses: { 200: { description: 'The document' } },
      handle: () => ({ body: openApi() }),
    },
    {
      method: 'GET',
      path: '/api/v1/components',
      summary: 'Every running component and how it is',
      responses: { 200: { description: 'The components', schema: COMPONENTS } },
      handle: () => ({
        body: {
          status: board.status,
          components: board.components.map(({ instance, event }) => ({
            ...instance,
            status: event.status,
            since: new Date(event.time).toISOString(),
            ...(event.error === undefined ? {} : { error: event.error.message }),
          })),
        },
      }),
    },
    {
      method: 'GET',
      path: '/api/v1/ledger',
      summary: 'What became of every item, by pipeline and by exporter',
      responses: { 200: { description: 'The ledger', schema: LEDGER } },
      handle: () => ({ body: host.ledger() }),
    },
  ]
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const BY_REASON: JsonSchema = { type: 'object', additionalProperties: COUNT }

function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter(name => !optional.includes(name))
  return { type: 'object', required, properties }
}

const READINESS_WORD: JsonSchema = { enum: ['OK', 'STARTING', 'DEGRADED', 'FAILED'] }
const HEALTH = object({ status: { enum: ['OK', 'FAILED'] } })
const READINESS = object({
  status: READINESS_WORD,
  components: {
    type: 'array',
    items: object({ name: { type: 'string' }, state: READINESS_WORD, detail: { type: 'string' } }, ['detail']),
  },
})
const STATUS_WORD: JsonSchema = {
  enum: ['Starting', 'OK', 'RecoverableError', 'PermanentError', 'FatalError', 'Stopping', 'Stopped'],
}
const COMPONENTS = object({
  status: STATUS_WORD,
  components: {
    type: 'array',
    items: object(
      {
        kind: { enum: ['receiver', 'processor', 'exporter', 'connector', 'extension'] },
        id: { type: 'string' },
        pipelines: { type: 'array', items: { type: 'string' } },
        status: STATUS_WORD,
        since: { type: 'string', format: 'date-time' },
        error: { type: 'string' },
      },
      ['error'],
    ),
  },
})
const LEDGER = object({
  pipelines: {
    type: 'object',
    additionalProperties: object({
      received: COUNT,
      created: COUNT,
      refused: COUNT,
      dropped: BY_REASON,
      queued: COUNT,
      delivered: COUNT,
    }),
  },
  exporters: {
    type: 'object',
    additionalProperties: object({
      received: COUNT,
      created: COUNT,
      refused: COUNT,
      sent: COUNT,
      queued: COUNT,
      dropped: BY_REASON,
    }),
  },
})
