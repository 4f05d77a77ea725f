import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Command } from '#core/component'
import { runCli } from '#core/service'
import { tempDir, until } from '#core/testing'
import { millrace } from '../../distributions/millrace/index.ts'
import { runCollector } from '../../test/e2e/collector.ts'
import { deadLetterFiles, readDeadLetters } from './dead_letter/files.ts'
import { securityEventExporter } from './index.ts'
import { ocsfFaults } from './ocsf/validate.test-support.ts'
import { peer, type Reaction } from './targets/peer.test-support.ts'

/** A body of the shape that the requirement gives. */
const EXAMPLE = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'test-service' } }] },
      scopeLogs: [
        {
          logRecords: [
            { body: { stringValue: 'Test security event' }, severityText: 'INFO' },
            { body: { stringValue: 'Second security event' }, severityText: 'WARN' },
          ],
        },
      ],
    },
  ],
}

async function collector(exporter: object) {
  const http = { endpoint: '127.0.0.1:0' }
  const pipeline = { receivers: ['otlp'], exporters: ['securityevent'] }
  const config = {
    receivers: { otlp: { protocols: { http } } },
    exporters: { securityevent: exporter },
    service: { pipelines: { logs: pipeline } },
  }
  const running = await runCollector(config)
  const post = (body: unknown) =>
    fetch(`http://${running.http}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { ...running, config, post, [Symbol.asyncDispose]: () => running.collector.shutdown(10_000) }
}

/** What `print-config` shows of a configuration. */
async function printConfig(config: object): Promise<string> {
  let out = ''
  const sink = {
    write(text: string) {
      out += text
    },
  }
  const io = { stdin: process.stdin, stdout: sink, stderr: sink, env: {}, onSignal: () => () => {} }
  expect(await runCli(millrace, ['print-config', '--config', `yaml:${JSON.stringify(config)}`], io)).toBe(0)
  return out
}

async function run(
  name: string,
  operands: string[],
  options: Record<string, string | boolean | string[]> = {},
  input = '',
) {
  const command = securityEventExporter.commands!.find(each => each.name === `security-event ${name}`) as Command
  let out = ''
  let err = ''
  const defaults = Object.entries(command.options ?? {}).map(([key, option]) => [key, option.default])
  const code = await command.run({
    options: { ...Object.fromEntries(defaults), ...options },
    operands,
    stdin: Readable.from([Buffer.from(input)]),
    stdout: {
      write(text) {
        out += text
      },
    },
    stderr: {
      write(text) {
        err += text
      },
    },
    signal: new AbortController().signal,
  })
  return { code, out, err }
}

test('logs sent as in the requirement arrive as the documented events, in one request', async () => {
  await using target = await peer(() => ({ status: 200 }))
  const headers = { Authorization: 'Api-Token abc' }
  const default_attributes = { environment: 'production' }
  await using running = await collector({ endpoint: `${target.url}/security-events`, headers, default_attributes })
  expect((await running.post(EXAMPLE)).status).toBe(200)
  await until(() => target.requests.length > 0)
  const [{ url, headers: sent, body }] = target.requests as [(typeof target.requests)[0]]
  expect({ url, type: sent['content-type'], authorization: sent.authorization }).toEqual({
    url: '/security-events',
    type: 'application/json',
    authorization: 'Api-Token abc',
  })
  const common = {
    environment: 'production',
    'service.name': 'test-service',
    severity_number: 0,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    'event.id': expect.stringMatching(/^[0-9a-f]{32}$/),
  }
  expect(JSON.parse(body)).toEqual([
    { ...common, message: 'Test security event', severity: 'INFO' },
    { ...common, message: 'Second security event', severity: 'WARN' },
  ])
})

test('what could not be delivered is listed, and replayed through a collector under the same ids', async () => {
  await using dir = await tempDir()
  const ids: string[][] = []
  let answer: Reaction = { status: 400, body: 'not today' }
  await using target = await peer(({ body }) => {
    ids.push((JSON.parse(body) as { metadata: { uid: string } }[]).map(({ metadata }) => metadata.uid))
    for (const event of JSON.parse(body) as []) expect(ocsfFaults(event)).toEqual([])
    return answer
  })
  const written = { endpoint: target.url, format: 'ocsf', batch: { flush_timeout: '1ms' } }
  const dead_letter = { directory: dir.path, max_file_age: '20ms' }
  await using running = await collector({ ...written, dead_letter })
  await running.post(EXAMPLE)
  await until(async () => (await deadLetterFiles(dir.path)).some(({ open }) => !open))
  const listed = await run('dead-letter list', [dir.path], { events: true })
  expect(listed).toMatchObject({ code: 0, err: '' })
  expect(listed.out).toContain('2 events (rejected 2)')
  expect(listed.out).toContain(`${ids[0]![0]} rejected: The target answered 400: not today`)
  expect(listed.out).toMatch(/\n2 events\n$/)

  const endpoint = `http://${running.http}`
  expect(await run('dead-letter replay', [dir.path], { endpoint: 'http://127.0.0.1:1' })).toMatchObject({
    code: 1,
    out: '0 events handed over\n',
  })
  expect((await run('dead-letter replay', [dir.path], { endpoint, reason: ['other'] })).out).toBe(
    '0 events handed over\n',
  )
  answer = { status: 200 }
  expect(await run('dead-letter replay', [dir.path], { endpoint })).toMatchObject({
    code: 0,
    out: '2 events handed over\n',
  })
  await until(() => ids.length === 2)
  expect(ids[1]).toEqual(ids[0])
  expect(await deadLetterFiles(dir.path)).toEqual([])
})

test('secrets are in no log line, metric, error or dead letter, even when the target repeats them', async () => {
  await using dir = await tempDir()
  const secrets = ['tok3n-s3cret', 'h3ader-s3cret', 'sign-s3cret', 'passw0rd-s3cret']
  await using target = await peer(({ headers }, count) =>
    count === 1 ? 'reset' : { status: 400, body: `bad ${JSON.stringify(headers)} tok3n-s3cret sign-s3cret` },
  )
  await using running = await collector({
    endpoint: target.url.replace('//', '//user:passw0rd-s3cret@'),
    preset: 'sumo_logic',
    token: 'tok3n-s3cret',
    headers: { 'x-key': 'h3ader-s3cret' },
    signing: { secret: 'sign-s3cret' },
    batch: { flush_timeout: '1ms' },
    retry_on_failure: { initial_interval: '1ms' },
    dead_letter: { directory: dir.path },
  })
  await running.post(EXAMPLE)
  await until(async () => (await deadLetterFiles(dir.path)).length > 0)
  await until(() => running.logs.some(({ msg }) => msg.startsWith('Exporting failed. Dropping')))
  expect(target.requests.at(-1)!.url).toContain('tok3n-s3cret')
  const [file] = await deadLetterFiles(dir.path)
  await until(async () => (await readDeadLetters(file!.path)).entries.length === 2)
  const printed = await printConfig(running.config)
  expect(printed).toContain('sumo_logic')
  const metrics = (await running.collector.host.metricsText()).body
  expect(metrics).toContain('otelcol_exporter_securityevent_http_requests')
  const told = JSON.stringify([running.logs, await readDeadLetters(file!.path), printed, metrics])
  expect(told).toContain('The target answered 400')
  for (const secret of secrets) expect(told).not.toContain(secret)
})

test('convert prints what would be sent', async () => {
  const input = JSON.stringify(EXAMPLE)
  const { code, out, err } = await run('convert', [], { format: 'ocsf' }, input)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const events = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
  expect(events.map(({ message }) => message)).toEqual(['Test security event', 'Second security event'])
  for (const event of events) expect(ocsfFaults(event)).toEqual([])
  const lines = await run(
    'convert',
    [],
    { format: 'cef', preset: 'splunk_hec', 'default-attribute': ['env=x=y'] },
    `${input}\n${input}\n`,
  )
  expect(lines.out.trimEnd().split('\n').length).toBe(4)
  expect(lines.out).toContain('env=x\\\\=y')
})

test.each([
  [{ format: 'xml' }, '{}', 2, /^Error: format: must be one of/],
  [{}, '{"resourceLogs": 1}', 1, /not OTLP\/JSON logs/],
  [{}, 'garbage', 1, /not OTLP\/JSON logs/],
])('convert refuses %j of %s', async (options, input, code, error) => {
  const result = await run('convert', [], options, input)
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toMatch(error)
})

test.each(['dead-letter list', 'dead-letter replay'])('%s needs a directory', async name => {
  expect(await run(name, [])).toMatchObject({ code: 2, err: expect.stringContaining('directory') })
})
