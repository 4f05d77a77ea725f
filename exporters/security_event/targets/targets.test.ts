import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PermanentError, RetryableError } from '#core/component'
import { EPOCH } from '#core/testing'
import { eventOf, logPayload } from '../mapping/mapping.test-support.ts'
import { DIRECT, peer, type Reaction, type Running, running } from './peer.test-support.ts'

const RECORD = {
  timeUnixNano: EPOCH + 123_456_789n,
  severityNumber: 17,
  severityText: 'ERROR',
  body: 'Login failed',
  attributes: { 'user.name': 'eve' },
}
const RESOURCE = { 'service.name': 'shop', 'host.name': 'h1' }
const AROUND = { resource: RESOURCE, scope: 'auth', scopeVersion: '2' }
const ID = eventOf(RECORD, 'flat', AROUND).id
const FLAT = `{"timestamp":"2026-01-01T00:00:00.123456789Z","event.id":"${ID}","severity":"ERROR","severity_number":17,"message":"Login failed","service.name":"shop","host.name":"h1","scope.name":"auth","scope.version":"2","user.name":"eve"}`
const ECS = `{"@timestamp":"2026-01-01T00:00:00.123456789Z","ecs":{"version":"8.17.0"},"message":"Login failed","log":{"level":"error","logger":"auth"},"event":{"id":"${ID}","kind":"event","type":["error"],"outcome":"unknown","severity":4,"dataset":"shop","created":"2026-01-01T00:00:00.000Z"},"user":{"name":"eve"},"service":{"name":"shop"},"host":{"name":"h1"},"related":{"user":["eve"],"hosts":["h1"]}}`
const OCSF = `{"class_uid":6008,"class_name":"Application Error","category_uid":6,"category_name":"Application Activity","activity_id":1,"activity_name":"General Error","type_uid":600801,"severity_id":4,"severity":"High","time":1767225600123,"metadata":{"version":"1.8.0","uid":"${ID}","product":{"name":"shop"},"log_provider":"auth","log_level":"ERROR","logged_time":1767225600000,"original_time":"1767225600123456789","profiles":["host"]},"message":"Login failed","actor":{"user":{"name":"eve"}},"device":{"hostname":"h1","type_id":0},"observables":[{"name":"device.hostname","type_id":1,"value":"h1"},{"name":"actor.user.name","type_id":4,"value":"eve"}]}`
const CEF = `CEF:0|Millrace|shop|0.0.0-test|log|Login failed|8|rt=1767225600123 externalId=${ID} msg=Login failed suser=eve dvchost=h1 servicename=shop`
const LEEF = `LEEF:2.0|Millrace|shop|0.0.0-test|log|x09|devTime=2026-01-01T00:00:00.123456789Z\tdevTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSX\tsev=8\teventId=${ID}\tmsg=Login failed\tusrName=eve\tidentHostName=h1\tservice.name=shop`
const ORIGINAL = '{"host.name":"h1","service.name":"shop","timestamp":"2026-01-01T00:00:00Z","user.name":"eve"}'

interface Golden {
  readonly what: string
  readonly written: Record<string, unknown>
  readonly path?: string
  readonly url: string
  readonly headers: Record<string, string>
  /** Of one event, and of two. */
  readonly bodies: readonly [string, string]
  readonly answer: Reaction
}

const OK: Reaction = { status: 200 }
const GOLDEN: readonly Golden[] = [
  {
    what: 'webhook, an array',
    written: { headers: { 'X-Api-Key': 'k3y-secret' } },
    url: '/events?tenant=1',
    path: '/events?tenant=1',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k3y-secret' },
    bodies: [`[${FLAT}]`, `[${FLAT},${FLAT}]`],
    answer: OK,
  },
  {
    what: 'webhook, lines',
    written: { webhook: { body: 'ndjson' }, compression: 'gzip' },
    url: '/',
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
    bodies: [`${FLAT}\n`, `${FLAT}\n${FLAT}\n`],
    answer: OK,
  },
  {
    what: 'webhook, wrapped',
    written: { webhook: { body: 'wrapped' }, token: 't0ken' },
    url: '/',
    headers: { authorization: 'Bearer t0ken' },
    bodies: [`{"events":[${FLAT}]}`, `{"events":[${FLAT},${FLAT}]}`],
    answer: { status: 204 },
  },
  {
    what: 'webhook, as the Go exporter',
    written: { format: 'original' },
    url: '/',
    headers: {},
    bodies: [`[${ORIGINAL}]`, `[${ORIGINAL},${ORIGINAL}]`],
    answer: OK,
  },
  {
    what: 'webhook, OCSF',
    written: { format: 'ocsf' },
    url: '/',
    headers: { 'content-type': 'application/json' },
    bodies: [`[${OCSF}]`, `[${OCSF},${OCSF}]`],
    answer: OK,
  },
  {
    what: 'webhook, CEF',
    written: { format: 'cef' },
    url: '/',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    bodies: [`${CEF}\n`, `${CEF}\n${CEF}\n`],
    answer: OK,
  },
  {
    what: 'webhook, LEEF',
    written: { format: 'leef' },
    url: '/',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    bodies: [`${LEEF}\n`, `${LEEF}\n${LEEF}\n`],
    answer: OK,
  },
  {
    what: 'Dynatrace',
    written: { preset: 'dynatrace', token: 'dt0c01.secret' },
    url: '/platform/ingest/v1/security.events',
    headers: { authorization: 'Api-Token dt0c01.secret', 'content-type': 'application/json' },
    bodies: [`[${FLAT}]`, `[${FLAT},${FLAT}]`],
    answer: { status: 202 },
  },
  {
    what: 'Splunk HEC',
    written: { preset: 'splunk_hec', token: '0-1-2', splunk_hec: { index: 'sec' } },
    url: '/services/collector/event',
    headers: { authorization: 'Splunk 0-1-2' },
    bodies: [
      `{"time":1767225600.123456789,"host":"h1","source":"otel","sourcetype":"otel:securityevent","index":"sec","event":${FLAT}}`,
      `{"time":1767225600.123456789,"host":"h1","source":"otel","sourcetype":"otel:securityevent","index":"sec","event":${FLAT}}`.repeat(
        2,
      ),
    ],
    answer: { status: 200, body: '{"text":"Success","code":0}' },
  },
  {
    what: 'Elasticsearch',
    written: { preset: 'elastic', token: 'a2V5' },
    url: '/_bulk?filter_path=errors%2Citems.*.status%2Citems.*.error.type%2Citems.*.error.reason',
    headers: { authorization: 'ApiKey a2V5', 'content-type': 'application/x-ndjson' },
    bodies: [
      `{"create":{"_index":"logs-securityevent-default","_id":"${ID}"}}\n${ECS}\n`,
      `{"create":{"_index":"logs-securityevent-default","_id":"${ID}"}}\n${ECS}\n`.repeat(2),
    ],
    answer: { status: 200, body: '{"errors":false,"items":[]}' },
  },
  {
    what: 'Datadog',
    written: { preset: 'datadog', token: 'dd-secret', datadog: { tags: 'env:prod' } },
    url: '/api/v2/logs',
    headers: { 'dd-api-key': 'dd-secret' },
    bodies: [
      `[{"ddsource":"otel","ddtags":"env:prod","service":"shop","hostname":"h1","status":"error",${FLAT.slice(1)}]`,
      `[${Array(2)
        .fill(
          `{"ddsource":"otel","ddtags":"env:prod","service":"shop","hostname":"h1","status":"error",${FLAT.slice(1)}`,
        )
        .join()}]`,
    ],
    answer: { status: 202 },
  },
  {
    what: 'Google SecOps',
    written: { preset: 'google_secops', token: 'ya29', google_secops: { forwarder: 'projects/p/forwarders/ü' } },
    path: '/v1alpha/x/logs:import',
    url: '/v1alpha/x/logs:import',
    headers: { authorization: 'Bearer ya29' },
    bodies: [
      `{"inlineSource":{"forwarder":"projects/p/forwarders/ü","logs":[${secopsEntry()}]}}`,
      `{"inlineSource":{"forwarder":"projects/p/forwarders/ü","logs":[${secopsEntry()},${secopsEntry()}]}}`,
    ],
    answer: OK,
  },
  {
    what: 'Sumo Logic',
    written: { preset: 'sumo_logic', token: 'ZaVnC4dhaV', sumo_logic: { category: 'sec' } },
    url: '/receiver/v1/http/ZaVnC4dhaV',
    headers: { 'x-sumo-category': 'sec' },
    bodies: [`${FLAT}\n`, `${FLAT}\n${FLAT}\n`],
    answer: OK,
  },
]

function secopsEntry(): string {
  return `{"data":"${Buffer.from(FLAT).toString('base64')}","logEntryTime":"2026-01-01T00:00:00.123456789Z","labels":{"logType":{"value":"UDM"},"eventId":{"value":"${ID}"}}}`
}

test.each(GOLDEN)(
  'requests to $what look as documented',
  async ({ written, path = '', url, headers, bodies, answer }) => {
    await using target = await peer(() => answer)
    await using exporter = await running({ ...DIRECT, ...written, endpoint: target.url + path })
    await exporter.send(logPayload([RECORD], AROUND))
    await exporter.send(logPayload([RECORD, RECORD], AROUND))
    expect(target.requests.map(request => request.body)).toEqual(bodies)
    expect(target.requests[0]).toMatchObject({ url, headers })
    expect(exporter.context.meter.value('otelcol_exporter_securityevent_events_exported')).toBe(3)
  },
)

test('single events have a request each', async () => {
  await using target = await peer(() => OK)
  await using exporter = await running({ ...DIRECT, webhook: { body: 'single' }, endpoint: target.url })
  await exporter.send(logPayload([RECORD, RECORD], AROUND))
  expect(target.requests.map(request => request.body)).toEqual([FLAT, FLAT])
})

test('Sentinel gets rows with a token that is fetched once, and again when it is refused', async () => {
  let issued = 0
  await using authority = await peer(() => ({
    status: 200,
    body: `{"access_token":"token-${++issued}","expires_in":3600}`,
  }))
  let accepted = 'Bearer token-1'
  await using target = await peer(({ headers }) => ({ status: headers.authorization === accepted ? 204 : 401 }))
  const sentinel = {
    tenant_id: 'tenant',
    client_id: 'app',
    client_secret: 's3cret',
    rule_id: 'dcr-1',
    stream: 'Custom-S_CL',
    authority: authority.url,
  }
  const headers = { 'x-own': 'only-for-target' }
  await using exporter = await running({ ...DIRECT, preset: 'sentinel', sentinel, headers, endpoint: target.url })
  await exporter.send(logPayload([RECORD], AROUND))
  await exporter.send(logPayload([RECORD], AROUND))
  expect(issued).toBe(1)
  expect(target.requests[0]!.url).toBe('/dataCollectionRules/dcr-1/streams/Custom-S_CL?api-version=2023-01-01')
  expect(target.requests[0]!.body).toBe(`[{"TimeGenerated":"2026-01-01T00:00:00.123456789Z",${FLAT.slice(1)}]`)
  expect(authority.requests[0]).toMatchObject({
    url: '/tenant/oauth2/v2.0/token',
    body: 'grant_type=client_credentials&client_id=app&client_secret=s3cret&scope=https%3A%2F%2Fmonitor.azure.com%2F.default',
  })
  expect(authority.requests[0]!.headers['x-own']).toBeUndefined()
  accepted = 'Bearer token-2'
  await exporter.send(logPayload([RECORD], AROUND))
  expect(issued).toBe(2)
  expect(target.requests.length).toBe(4)
})

test('a signature lets the target check the body', async () => {
  await using target = await peer(() => OK)
  const signing = { secret: 'shared', header: 'X-Hub-Signature-256' }
  await using exporter = await running({ ...DIRECT, signing, endpoint: target.url })
  await exporter.send(logPayload([RECORD], AROUND))
  const [{ headers, body }] = target.requests as [(typeof target.requests)[0]]
  expect(headers['x-hub-signature-256']).toBe(`sha256=${createHmac('sha256', 'shared').update(body).digest('hex')}`)
})

describe('answers', () => {
  const two = () => logPayload([{ body: 'a' }, { body: 'b' }, { body: 'c' }])

  test.each([408, 429, 500, 502, 503, 504])('%d is tried again', async status => {
    await using target = await peer(() => ({ status, headers: { 'retry-after': '7' } }))
    await using exporter = await running({ ...DIRECT, endpoint: target.url })
    const error = await exporter.send(two()).catch(each => each)
    expect(error).toBeInstanceOf(RetryableError)
    expect(error.after).toBe(7000)
  })

  test.each([301, 400, 401, 403, 404, 501])('%d is not', async status => {
    await using target = await peer(() => ({ status, body: 'no' }))
    await using exporter = await running({ ...DIRECT, endpoint: target.url })
    const error = await exporter.send(two()).catch(each => each)
    expect(error).toBeInstanceOf(PermanentError)
    expect(error.message).toBe(`not retryable error: The target answered ${status}: no`)
    expect(exporter.context.meter.value('otelcol_exporter_securityevent_events_failed', { reason: 'rejected' })).toBe(3)
    const told = exporter.context.statuses.map(each => each.status)
    expect(told.includes('RecoverableError')).toBe(status === 401 || status === 403)
  })

  test('413 halves the batch until it fits; an event that never does is lost alone', async () => {
    const taken: string[] = []
    await using target = await peer(({ body }) => {
      const events = JSON.parse(body) as { message: string }[]
      if (events.length > 1 || events[0]!.message === 'b') return { status: 413 }
      taken.push(events[0]!.message)
      return OK
    })
    await using exporter = await running({ ...DIRECT, endpoint: target.url })
    await exporter.send(two())
    expect(partly(exporter)).toEqual([1, 'The target answered 413'])
    expect(taken).toEqual(['a', 'c'])
  })

  test('a webhook may name the events it rejects', async () => {
    await using target = await peer(() => ({
      status: 200,
      body: '{"rejected":[{"index":1,"reason":"no user"},{"index":9}]}',
    }))
    await using exporter = await running({ ...DIRECT, webhook: { response: 'items' }, endpoint: target.url })
    await exporter.send(two())
    expect(partly(exporter)).toEqual([1, 'The target rejected the event: no user'])
  })

  test('Splunk names the event that is wrong; those after it are sent again at once', async () => {
    await using target = await peer((_, count) =>
      count === 1 ? { status: 400, body: '{"text":"Invalid data format","code":6,"invalid-event-number":1}' } : OK,
    )
    await using exporter = await running({ ...DIRECT, preset: 'splunk_hec', endpoint: target.url })
    await exporter.send(two())
    expect(partly(exporter)).toEqual([1, 'Splunk answered 400, code 6: Invalid data format'])
    expect(target.requests.map(({ body }) => body.match(/"message":"."/g))).toEqual([
      ['"message":"a"', '"message":"b"', '"message":"c"'],
      ['"message":"c"'],
    ])
  })

  test('Elasticsearch tells of each document: there already is there, busy is later, wrong is lost', async () => {
    await using target = await peer((_, count) => ({
      status: 200,
      body: JSON.stringify(
        count === 1
          ? {
              errors: true,
              items: [
                { create: { status: 409 } },
                { create: { status: 400, error: { type: 'mapper_parsing_exception', reason: 'bad date' } } },
                { create: { status: 429 } },
              ],
            }
          : { errors: false },
      ),
    }))
    const retry_on_failure = { initial_interval: '1ms' }
    await using exporter = await running({ ...DIRECT, retry_on_failure, preset: 'elastic', endpoint: target.url })
    await exporter.send(two())
    expect(partly(exporter)).toEqual([1, 'Elasticsearch answered 400: mapper_parsing_exception: bad date'])
    expect(target.requests[1]!.body).toContain('"message":"c"')
    expect(target.requests[1]!.body).not.toContain('"message":"a"')
  })

  test('the limits of a target are kept', async () => {
    await using target = await peer(() => ({ status: 202 }))
    await using exporter = await running({
      ...DIRECT,
      preset: 'dynatrace',
      batch: { max_bytes: '64MiB', max_events: 100_000 },
      endpoint: target.url,
    })
    await exporter.send(logPayload(Array.from({ length: 30 }, (_, n) => ({ body: `${n}${'x'.repeat(90_000)}` }))))
    const sizes = target.requests.map(({ body }) => Buffer.byteLength(body))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000_000)
    expect(target.requests.flatMap(({ body }) => JSON.parse(body) as unknown[]).length).toBe(30)
    const error = await exporter.send(logPayload([{ body: 'y'.repeat(1_000_001) }])).catch(each => each)
    expect(error).toBeInstanceOf(PermanentError)
    const { meter } = exporter.context
    expect(meter.value('otelcol_exporter_securityevent_conversion_errors', { reason: 'event_too_large' })).toBe(1)
  })
})

/** How many events were lost of a payload that arrived otherwise, and what is said about them. */
function partly({ context }: Running): [number, unknown] {
  const line = context.logger.lines.find(({ message }) => message === 'Partial success response')
  return [context.ledger.total('dropped', 'rejected'), line?.fields.message]
}
