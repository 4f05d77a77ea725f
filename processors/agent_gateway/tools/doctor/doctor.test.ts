import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FakeClock, until } from '#core/testing'
import { gateway, gatewayToEnd } from '../commands.test-support.ts'
import { doctorCommand } from './doctor-command.ts'

const RECORDED = join(import.meta.dirname, '../../testdata')
const AGENT = 'OTel-OTLP-Exporter-JavaScript/0.215.0'

/** A doctor on a free port, its clock, and how to send to it what was recorded. */
async function listening(...args: readonly string[]) {
  const clock = new FakeClock()
  const running = gateway(['doctor', '--endpoint', '127.0.0.1:0', ...args], [doctorCommand(clock)])
  await until(() => running.output.err.includes('Listening on '))
  const [base] = /http:\/\/\S+/.exec(running.output.err)!
  const post = async (path: string, body: Uint8Array | string, headers: Record<string, string> = {}) => {
    const type = { 'content-type': 'application/x-protobuf', 'user-agent': AGENT }
    // A stream has no length, so that it is sent in chunks as the gateway does.
    const chunks = new Blob([body as string]).stream()
    const init = { method: 'POST', body: chunks, headers: { ...type, ...headers }, duplex: 'half' } as RequestInit
    const answer = await fetch(base + path, init)
    return { status: answer.status, text: await answer.text() }
  }
  const replay = async (name: string, headers?: Record<string, string>) => {
    const signal = name.split('_').at(-1)
    return (await post(`/v1/${signal}`, readFileSync(join(RECORDED, `${name}.pb`)), headers)).status
  }
  return { ...running, clock, base, post, replay }
}

test('a whole turn as it was recorded: everything arrived, and what is odd about it is noted', async () => {
  const doctor = await listening()
  const headers = { authorization: 'Api-Token hidden-token' }
  for (const name of ['0001_v1_metrics', '0023_v1_traces', '0057_v1_traces', '0066_v1_metrics', '0054_v1_logs']) {
    expect(await doctor.replay(name, headers)).toBe(200)
  }
  expect(await doctor.code).toBe(0)
  expect(doctor.output.out).toMatch(/^Traces {3}16 spans in 7 traces, 2 requests, 6666 bytes$/m)
  expect(doctor.output.out).toMatch(/^ +openclaw.model.call x4, .*openclaw.message.processed/m)
  expect(doctor.output.out).toMatch(/^Metrics {2}50 data points, cumulative, 2 requests, 16306 bytes$/m)
  expect(doctor.output.out).toMatch(/^Logs {5}9 log records, 1 request, 2720 bytes$/m)
  expect(doctor.output.out).toMatch(/^Service {2}openclaw-gateway$/m)
  expect(doctor.output.out).toMatch(new RegExp(`^Sender {3}${AGENT}: gateway about 2026.4$`, 'm'))
  expect(doctor.output.out).toContain('11 of 16 spans point to a parent that did not arrive')
  expect(doctor.output.out + doctor.output.err).not.toContain('hidden-token')
})

test('an idle gateway sends metrics: at the end the reasons for the rest are told', async () => {
  const doctor = await listening('--timeout', '2m')
  await doctor.replay('0001_v1_metrics')
  await doctor.clock.advance(120_000)
  expect(await doctor.code).toBe(1)
  expect(doctor.output.out).toMatch(/^Traces {3}MISSING\n +- Nobody talked to the agent/m)
  expect(doctor.output.out).toMatch(/^Logs {5}MISSING\n +- diagnostics.otel.logs is not true/m)
  expect(doctor.output.out).toContain('No token counter')
})

test('signals that are not expected are not missed', async () => {
  const doctor = await listening('--signals', 'metrics,traces')
  await doctor.replay('0066_v1_metrics')
  await doctor.replay('0023_v1_traces')
  expect(await doctor.code).toBe(0)
  expect(doctor.output.out).toContain('Logs     none, and none expected')
  expect(doctor.output.out).toContain('calls of the HTTP API have no message.processed')
})

test.each([
  [
    '2026.4.25',
    ['comes with the gateway but disabled'],
    ['plugins install', 'internal diagnostics', '@opentelemetry/api'],
  ],
  ['2026.2.3', ['comes with the gateway but disabled', '@opentelemetry/api'], ['plugins install']],
  ['2026.5.2', ['plugins install', 'internal diagnostics capability unavailable'], ['but disabled']],
  ['2026.9.6', ['plugins install'], ['but disabled', 'internal diagnostics', '@opentelemetry/api']],
])('when nothing arrives from %s, its usual reasons are told', async (version, told, untold) => {
  const doctor = await listening('--gateway-version', version)
  await doctor.clock.advance(90_000)
  expect(await doctor.code).toBe(1)
  for (const part of told) expect(doctor.output.out).toContain(part)
  for (const part of untold) expect(doctor.output.out).not.toContain(part)
  expect(doctor.output.out).toContain(`diagnostics.otel.endpoint is not ${doctor.base}`)
})

test('interrupted, it tells what came until then', async () => {
  const doctor = await listening()
  await doctor.replay('0001_v1_metrics')
  doctor.interrupt()
  expect(await doctor.code).toBe(1)
  expect(doctor.output.out).toContain('Metrics  3 data points')
})

test('requests that are no telemetry are answered in plain words, and told', async () => {
  const doctor = await listening('--format', 'json')
  const reached = await fetch(`${doctor.base}/v1/traces`)
  expect([reached.status, reached.headers.get('allow'), await reached.text()]).toEqual([
    405,
    'POST',
    'reachable; telemetry comes by POST\n',
  ])
  const answers = [
    await doctor.post('/v1/traces/v1/logs', ''),
    await doctor.post('/v1/logs', '{}', { 'content-type': 'text/plain' }),
    await doctor.post('/v1/logs', 'garbage'),
    await doctor.post('/v1/traces', '{', { 'content-type': 'application/json' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 415, 400, 400])
  doctor.interrupt()
  expect(await doctor.code).toBe(1)
  const report = JSON.parse(doctor.output.out)
  expect(report.otherRequests.map((each: { status: number }) => each.status)).toEqual([405, 404, 415, 400, 400])
  expect(report.remarks[0]).toContain('must be the base URL, without /v1/...')
  expect(report).toMatchObject({ ok: false, signals: { traces: { requests: 0, wanted: true, arrived: false } } })
})

test('for programs, names and counts are in the report; JSON bodies betray an old gateway', async () => {
  const doctor = await listening('--format', 'json', '--signals', 'logs')
  const record = { body: { stringValue: 'openclaw.security.event' }, severityText: 'ERROR' }
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record, { severityText: 'INFO' }] }] }] })
  const answer = await doctor.post('/v1/logs', body, { 'content-type': 'application/json' })
  expect(answer).toEqual({ status: 200, text: '{"partialSuccess":{}}' })
  expect(await doctor.code).toBe(0)
  expect(JSON.parse(doctor.output.out)).toMatchObject({
    ok: true,
    signals: { logs: { arrived: true, requests: 1, items: 2, names: { INFO: 1, 'openclaw.security.event': 1 } } },
    securityRecords: 1,
    formats: ['json'],
    gatewayVersion: 'before 2026.2.24, which sends JSON',
    remarks: [],
  })
})

test('a port that is taken is told, and what to do', async () => {
  const first = await listening()
  const taken = first.base.replace('http://', '')
  const second = await gatewayToEnd('doctor', '--endpoint', taken)
  expect(second).toMatchObject({ code: 1, out: '' })
  expect(second.err).toContain(`${taken} is taken, perhaps by a collector that runs`)
  first.interrupt()
  await first.code
})

test.each([
  [['more'], 'unexpected argument "more"'],
  [['--timeout', 'soon'], 'timeout must be a duration such as 90s'],
  [['--timeout', '-1s'], 'timeout must be a duration such as 90s'],
  [['--signals', 'traces,profiles'], 'signals must be some of traces, metrics, logs'],
  [['--format', 'xml'], 'format must be text or json'],
  [['--gateway-version', '9'], 'must look like 2026.4.25'],
])('%j is refused: %s', async (args, why) => {
  const { code, err } = await gatewayToEnd('doctor', ...args)
  expect(code).toBe(2)
  expect(err).toContain(why)
})
