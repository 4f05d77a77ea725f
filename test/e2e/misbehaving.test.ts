import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { encode } from '#core/data'
import { type TempDir, tempDir, until } from '#core/testing'
import { freePorts } from '../bench/ports.ts'
import { Program } from './process.ts'

const PATIENT = { timeout: 30_000 }
const SPANS = 20
const body = (name: string) =>
  encode('traces', { resourceSpans: [{ scopeSpans: [{ spans: Array.from({ length: SPANS }, () => ({ name })) }] }] })

/** The body of `create` of each guest, and what is told of it. */
const GUESTS: Readonly<Record<string, { readonly create: string; readonly told: RegExp; readonly status?: number }>> = {
  throws: {
    create: '{ transform() { throw new Error("no luck") } }',
    told: /no luck, at \S+throws\.ts:8:\d+$/,
    status: 503,
  },
  rejects: {
    create: '{ async consume() { await null; throw new RangeError("out of range") } }',
    told: /out of range, at \S+rejects\.ts:8:\d+$/,
    status: 503,
  },
  never: { create: '{ consume: () => new Promise(() => {}) }', told: /never/ },
  garbage: {
    create: '{ consume: () => next.consume({ signal: "logs" }, {}) }',
    told: /cannot hand on a payload of logs: a payload of traces is needed, at \S+garbage\.ts:8:\d+$/,
    status: 503,
  },
  floats: {
    create:
      '{ transform() { setTimeout(() => { throw new Error("too late") }); Promise.reject(new Error("not awaited")) } }',
    told: /(too late|not awaited), at \S+floats\.ts:8:\d+$/,
    status: 200,
  },
  blocks: {
    create: '{ transform() { const end = Date.now() + 4_000; while (Date.now() < end); } }',
    told: /it blocked the event loop for \d+\.\d s, at \S+blocks\.ts:8:\d+$/,
    status: 200,
  },
}

const guest = (type: string, create: string) => `import { defineProcessor } from 'millrace/core/component'
import { t } from 'millrace/core/config'
export const ${type} = defineProcessor({
  type: '${type}',
  description: 'Misbehaves.',
  stability: { traces: 'development' },
  config: t.section({}),
  create: (config: unknown, signal: string, next: any) => (${create}) as any,
})
`

async function configure(dir: TempDir, ports: readonly number[], api: number): Promise<string> {
  const names = Object.keys(GUESTS)
  for (const [type, { create }] of Object.entries(GUESTS)) await writeFile(dir.file(`${type}.ts`), guest(type, create))
  const file = dir.file('config.yaml')
  const http = (port: number) => ({ protocols: { http: { endpoint: `127.0.0.1:${port}` } } })
  const all = ['neighbour', ...names]
  await writeFile(
    file,
    JSON.stringify({
      receivers: Object.fromEntries(all.map((name, at) => [`otlp/${name}`, http(ports[at]!)])),
      processors: Object.fromEntries(names.map(name => [name, null])),
      exporters: { file: { path: dir.file('out.jsonl') }, 'file/neighbour': { path: dir.file('neighbour.jsonl') } },
      extensions: { api: { endpoint: `127.0.0.1:${api}` }, health_check: { endpoint: `127.0.0.1:${ports.at(-1)}` } },
      service: {
        components: names.map(name => `./${name}.ts`),
        extensions: ['api', 'health_check'],
        telemetry: { logs: { encoding: 'json', sampling: { enabled: false } }, metrics: { level: 'none' } },
        pipelines: {
          'traces/neighbour': { receivers: ['otlp/neighbour'], exporters: ['file/neighbour'] },
          ...Object.fromEntries(
            names.map(name => [
              `traces/${name}`,
              { receivers: [`otlp/${name}`], processors: [name], exporters: ['file'] },
            ]),
          ),
        },
      },
    }),
  )
  return file
}

test('six components that misbehave, each in its way: load on the neighbouring pipeline is not disturbed', {
  timeout: 120_000,
}, async () => {
  await using dir = await tempDir()
  const names = Object.keys(GUESTS)
  const [api, ...ports] = await freePorts(names.length + 3)
  const file = await configure(dir, ports, api!)
  await using program = new Program(['--config', file, '--shutdown-timeout', '5s'])
  await until(() => program.logs().some(line => String(line.msg).startsWith('Everything is ready')), PATIENT)

  const headers = { 'content-type': 'application/x-protobuf' }
  const send = async (port: number, name: string, timeout = 20_000) => {
    const signal = AbortSignal.timeout(timeout)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
      method: 'POST',
      headers,
      body: body(name),
      signal,
    })
    await answer.arrayBuffer()
    return answer.status
  }
  let [acknowledged, stopped] = [0, false]
  const failures: unknown[] = []
  const load = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const status = await send(ports[0]!, 'neighbour').catch((error: unknown) => error)
      if (status === 200) acknowledged++
      else failures.push(status)
    }
  })
  const answers = new Map<string, unknown>()
  for (const [at, name] of names.entries()) {
    const sent = acknowledged
    const answer = await send(ports[at + 1]!, name, name === 'never' ? 500 : 20_000).catch((error: Error) => error.name)
    answers.set(name, answer)
    await until(() => acknowledged > sent + 20, PATIENT)
  }
  const told = (name: string) =>
    program.logs().some(line => line['otelcol.component.id'] === name && GUESTS[name]!.told.test(String(line.reason)))
  for (const name of names.filter(each => each !== 'never')) await until(() => told(name), { ...PATIENT, what: name })
  const readyz = (await (await fetch(`http://127.0.0.1:${api}/readyz`)).json()) as {
    readonly status: string
    readonly components: readonly { readonly name: string }[]
  }
  stopped = true
  await Promise.all(load)

  expect(readyz.status).toBe('DEGRADED')
  const shown = new Map(readyz.components.map(part => [part.name, part]))
  for (const name of names.filter(each => each !== 'never')) {
    const part = { state: 'DEGRADED', detail: expect.stringMatching(GUESTS[name]!.told) }
    expect(shown.get(`processor ${name} in traces/${name}`)).toMatchObject(part)
  }
  expect(shown.get('receiver otlp/neighbour')).toMatchObject({ state: 'OK' })
  expect((await fetch(`http://127.0.0.1:${ports.at(-1)}`)).status).toBe(200)

  for (const [name, { status = 'TimeoutError' }] of Object.entries(GUESTS))
    expect([name, answers.get(name)]).toEqual([name, status])
  expect(failures).toEqual([])
  expect(acknowledged).toBeGreaterThan(100)
  const lines = (await readFile(dir.file('neighbour.jsonl'), 'utf8')).trim().split('\n')
  const delivered = lines.reduce((sum, line) => sum + line.split('"name":"neighbour"').length - 1, 0)
  expect(delivered).toBe(acknowledged * SPANS)

  program.signal('SIGTERM')
  await program.exit
  const final = program.logs().find(line => line.msg === 'Shutdown complete.')?.ledger as { pipelines: object }
  expect(final.pipelines).toMatchObject({
    'traces/neighbour': { received: delivered, delivered, refused: 0, queued: 0 },
  })
})
