import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import * as net from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { stringifyYaml } from '#core/config'
import { Collector, runCli } from '#core/service'
import { type TempDir, tempDir, until } from '#core/testing'
import { authority } from '../../core/net/certificates.test-support.ts'
import { millrace } from '../../distributions/millrace/index.ts'
import { testIssuer } from '../../extensions/oidc/issuer.test-support.ts'
import { Program } from './process.ts'
import { environment, Marks, secretConfiguration } from './secret-configuration.ts'
import { ask, send } from './sender.ts'

/** A backend that refuses everything and quotes what it was sent, and a port where nobody is. */
async function world() {
  const seen: http.IncomingHttpHeaders[] = []
  const server = http.createServer((request, response) => {
    seen.push(request.headers)
    // Some servers tell which token they did not like.
    const message = `go away with ${JSON.stringify(request.headers)}`
    response.writeHead(401, { 'content-type': 'application/json' })
    request.resume().on('end', () => response.end(JSON.stringify({ code: 16, message })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const empty = net.createServer().listen(0, '127.0.0.1')
  await once(empty, 'listening')
  const dead = `127.0.0.1:${(empty.address() as AddressInfo).port}`
  await new Promise(resolve => empty.close(resolve))
  const dir = await tempDir()
  const issuer = await testIssuer()
  const marks = new Marks()
  const files = { token: dir.file('token'), keys: dir.file('keys.json') }
  await writeFile(files.token, marks.mark('token in file'))
  await writeFile(files.keys, JSON.stringify({ keys: issuer.keys.map(({ jwk }) => jwk) }))
  const backend = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { config, env } = secretConfiguration(marks, backend, dead, { ...files, issuer: issuer.url })
  const file = dir.file('config.yaml')
  await writeFile(file, stringifyYaml(config))
  return {
    ...{ config, env, file, dir, issuer, marks, seen },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await issuer[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}

/** Everything that a collector writes. */
function recording() {
  let text = ''
  const write = (more: string) => {
    text += more
    return true
  }
  return {
    streams: { stdout: { write }, stderr: { write } },
    get text() {
      return text
    },
    lines: () =>
      text
        .split('\n')
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line) as Record<string, string>),
  }
}

/** Sends an HTTP/1.1 request with a header that is none, to a port in the clear or with TLS, and waits for the end. */
async function garbled(address: string, header: string): Promise<void> {
  const [host, port] = address.split(':') as [string, string]
  const socket = net.connect(Number(port), host)
  socket.on('error', () => {})
  socket.write(`POST /v1/traces HTTP/1.1\r\nHost: x\r\n${header}\r\nno header\r\n\r\n`)
  await once(socket.resume(), 'close')
}

test('a running collector shows no secret: in logs, metrics, pages and answers', { timeout: 60_000 }, async () => {
  await using it = await world()
  const { marks } = it
  const output = recording()
  const collector = new Collector({ distribution: millrace, sources: [it.file], env: it.env, streams: output.streams })
  await collector.start()
  const shown: [where: string, text: string][] = []
  try {
    const where = (id: string, message?: string) =>
      output
        .lines()
        .find(
          line => (line['otelcol.component.id'] ?? '') === id && line.endpoint && (!message || line.msg === message),
        )!.endpoint!
    const grpc = where('otlp', 'Starting GRPC server').replace('127.0.0.1', 'localhost')
    const [main, oidc] = [where('otlp', 'Starting HTTP server'), where('otlp/oidc')]
    const tls = { ca_file: authority('ca') }
    const token = marks.add('token of a sender', await it.issuer.token())
    const forged = marks.add('forged token', `${token.slice(0, -8)}AAAAAAAA`)
    const bearer = (secret: string) => ({
      headers: { authorization: `Bearer ${secret}`, 'x-sender-key': marks.mark('sender key') },
    })
    const basic = (name: string) => ({ tls, headers: { authorization: marks.basic('agent', name) } })

    const outcomes = [
      await send('grpc', grpc, basic('password from environment')),
      await send('http', main, bearer(marks.mark('token from environment'))),
      await send('http', oidc, bearer(token)),
      await send('grpc', grpc, basic('guessed password')),
      await send('http', main, bearer(marks.mark('guessed token'))),
      await send('http', oidc, bearer(forged)),
      await ask(`http://${main}/v1/traces?authorization=${marks.mark('token in query')}`, {}, Buffer.alloc(0)),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual([0, 200, 200, 16, 401, 401, 401])
    // What cannot be read is not told either.
    for (const address of [main, grpc])
      await garbled(address, `Authorization: Bearer ${marks.mark('token in a broken request')}`)
    shown.push(['answers', JSON.stringify(outcomes)])

    // Every exporter has failed for good, and own telemetry could not be sent.
    const failed = () =>
      new Set(
        output
          .lines()
          .filter(line => line.level === 'error')
          .map(line => line['otelcol.component.id']),
      )
    const exporters = Object.keys(it.config.exporters).filter(id => id !== 'debug')
    await until(() => exporters.every(id => failed().has(id)), { timeout: 30_000, what: 'every exporter to fail' })
    expect(it.seen.some(headers => headers['x-fixed'] === marks.mark('fixed value'))).toBe(true)
    expect(it.seen.some(headers => headers['x-sender'] === token)).toBe(true)

    const api = `http://${where('api')}`
    const { message: openapi } = await ask(`${api}/openapi.json`)
    const paths = Object.entries((JSON.parse(openapi) as { paths: Record<string, object> }).paths)
    const pages = paths
      .filter(([path, methods]) => 'get' in methods && !path.includes('{'))
      .map(([path]) => `${api}${path}`)
    expect(pages.map(page => page.slice(api.length))).toEqual(
      expect.arrayContaining(['/metrics', '/readyz', '/healthz', '/api/v1/components', '/api/v1/ledger']),
    )
    const zpages = ['servicez', 'pipelinez', 'extensionz', 'featurez', 'tracez', 'expvarz'].map(
      page => `http://${where('zpages')}/debug/${page}`,
    )
    for (const url of [
      ...pages,
      ...zpages,
      `http://${where('health_check')}/`,
      `http://${where('', 'Serving the metrics page')}/metrics`,
    ]) {
      const { status, message } = await ask(url)
      expect([url, status]).toEqual([url, expect.toBeOneOf([200, 503])])
      shown.push([url, message])
    }
    shown.push(['the plan', inspect(collector.host.ledger(), { depth: 20 })])

    await writeFile(
      it.file,
      stringifyYaml({ ...it.config, extensions: { ...it.config.extensions, api: { tokn: [marks.mark('mistyped')] } } }),
    )
    const refused = await collector.reload().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Error)
    shown.push(['a refused reload', inspect(refused, { depth: 20 })])
  } finally {
    await collector.shutdown(5_000)
  }
  shown.push(['output', output.text])
  // The output is that of this configuration, and the backend's words are in it.
  for (const word of ['otlp_http/dead', 'go away with', '****']) expect(output.text.includes(word), word).toBe(true)
  expect(marks.size).toBeGreaterThan(30)
  expect(shown.map(([place, text]) => [place, marks.within(text)]).filter(([, found]) => found!.length > 0)).toEqual([])
})

/** What a command prints on both streams, and its exit code. */
async function command(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const output = recording()
  const io = { ...output.streams, stdin: process.stdin, env, onSignal: () => () => {} }
  const code = await runCli(millrace, [...argv], io)
  return { code, text: output.text }
}

test.each([
  'print-config',
  'print-config --format json',
  'print-config --origin',
  'print-config --origin --format json',
  'print-config --no-validate',
  'validate',
])('%s shows no secret', async line => {
  await using it = await world()
  const given = line.split(' ')
  const set = `--set=extensions::bearertokenauth/client::token=${it.marks.mark('token in --set')}`
  const { code, text } = await command([...given, '--config', it.file, set], it.env)
  expect(code, text).toBe(0)
  expect(it.marks.within(text)).toEqual([])
  if (given[0] === 'print-config') expect(text).toContain('[REDACTED]')
})

const SECRET = 'mark-in-broken-5ecre7'
const VARIABLE = environment('BAD')
const BROKEN: [what: string, token: string, env?: Record<string, string>][] = [
  ['an open quote', `"${SECRET}`],
  ['a closed quote too many', `"${SECRET}" "`],
  ['a colon', `a: ${SECRET}: b`],
  ['an alias to nothing', `*${SECRET}`],
  ['a list', `[${SECRET}]`],
  ['an open list', `[${SECRET}`],
  ['a map', `{ a: ${SECRET} }`],
  ['an open map', `{ a: ${SECRET}`],
  ['a reserved character', `@${SECRET}`],
  ['a directive', `%${SECRET}`],
  ['a tag', `!!int ${SECRET}`],
  ['a bad escape', `"\\q${SECRET}"`],
  ['two values', `${SECRET}\n    token: ${SECRET}`],
  ['a tab', `|\n\t${SECRET}`],
  ['wrong indentation', `a\n  ${SECRET}\n b: c`],
  ['a variable with a list', VARIABLE, { BAD: `[${SECRET}]` }],
  ['a variable with a map', VARIABLE, { BAD: `{ a: ${SECRET} }` }],
  ['a variable with an open quote', VARIABLE, { BAD: `"${SECRET}` }],
  ['a variable with an open list', VARIABLE, { BAD: `[ ${SECRET}` }],
  ['a variable that leads to itself', VARIABLE, { BAD: `${SECRET} ${VARIABLE}` }],
]

describe('a broken configuration is told without its secrets:', () => {
  const written = (token: string) =>
    [
      'receivers: { nop: {} }',
      'exporters: { nop: {} }',
      'extensions:',
      '  bearertokenauth:',
      `    token: ${token}`,
      'service:',
      '  extensions: [bearertokenauth]',
      '  pipelines: { traces: { receivers: [nop], exporters: [nop] } }',
      '',
    ].join('\n')

  test.each(BROKEN)('%s', async (_, token, env = {}) => {
    await using dir = await tempDir()
    const file = dir.file('config.yaml')
    await writeFile(file, written(token))
    const { code, text } = await command(['validate', '--config', file], env)
    expect(text).not.toContain(SECRET)
    if (code === 0) expect((await command(['print-config', '--config', file], env)).text).not.toContain(SECRET)
    else expect(text).toContain('config.yaml')
  })
})

describe('a start that fails is told without secrets:', () => {
  /** Runs the program, which is to end by itself, and gives all it printed. */
  async function ending(dir: TempDir, config: object): Promise<string> {
    await writeFile(dir.file('config.yaml'), stringifyYaml(config))
    await using program = new Program(['--config', dir.file('config.yaml')])
    const { code } = await program.exit
    expect(code).toBe(1)
    return program.stdout + program.stderr
  }
  const around = (extension: object, exporter: object = {}) => ({
    receivers: { nop: {} },
    exporters: { otlp_http: { endpoint: 'http://127.0.0.1:1', headers: { 'x-key': SECRET }, ...exporter } },
    extensions: { 'bearertokenauth/x': extension, api: { endpoint: '127.0.0.1:0' } },
    service: {
      telemetry: { logs: { level: 'debug' }, metrics: { level: 'none' } },
      extensions: ['bearertokenauth/x', 'api'],
      pipelines: { traces: { receivers: ['nop'], exporters: ['otlp_http'] } },
    },
  })

  test('a missing file', async () => {
    await using dir = await tempDir()
    const text = await ending(dir, around({ token: SECRET, filename: dir.file('nowhere') }))
    expect(text).toContain('ENOENT')
    expect(text).not.toContain(SECRET)
  })

  test('a key that is none', async () => {
    await using dir = await tempDir()
    const pem = `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----\n`
    const text = await ending(dir, around({ token: SECRET }, { tls: { cert_pem: pem, key_pem: pem } }))
    expect(text).toContain('failed to load TLS config')
    expect(text).not.toContain(SECRET)
  })

  test('a port in use', async () => {
    await using dir = await tempDir()
    const taken = net.createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const config = around({ token: SECRET })
    config.extensions.api.endpoint = `127.0.0.1:${(taken.address() as AddressInfo).port}`
    const text = await ending(dir, config)
    taken.close()
    expect(text).toContain('address already in use')
    expect(text).not.toContain(SECRET)
  })
})
