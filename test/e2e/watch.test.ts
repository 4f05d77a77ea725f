import { readFile, rename, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { encode } from '#core/data'
import { tempDir, until } from '#core/testing'
import { freePorts } from '../bench/ports.ts'
import { Program } from './process.ts'

const SPAN = encode('traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }] }] }] })
const PATIENT = { timeout: 30_000 }

const component = (version: string) => `import { defineProcessor, t } from 'millrace/component'
import { mark } from './mark.ts'
export const stamp = defineProcessor({
  type: 'stamp',
  description: 'Stamps spans.',
  stability: { traces: 'development' },
  config: t.section({}),
  create: () => ({
    transform(draft) {
      for (const span of draft.spans()) span.attributes.set('version', '${version}' + mark)
    },
  }),
})
`

test('--watch under load: a component changes again and again, and no span is lost or refused', {
  timeout: 90_000,
}, async () => {
  await using dir = await tempDir()
  const [port] = await freePorts(1)
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    processors: { stamp: null, attributes: { actions: [{ key: 'kept', value: 1, action: 'insert' }] } },
    exporters: { file: { path: dir.file('out.jsonl') } },
    service: {
      components: ['./stamp.ts'],
      telemetry: { logs: { encoding: 'json', sampling: { enabled: false } }, metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], processors: ['stamp', 'attributes'], exporters: ['file'] } },
    },
  }
  await writeFile(dir.file('config.yaml'), JSON.stringify(config))
  await writeFile(dir.file('stamp.ts'), component('v0'))
  await writeFile(dir.file('mark.ts'), `export const mark: string = ''`)
  await using program = new Program(['--config', dir.file('config.yaml'), '--watch'])
  await until(() => program.logs().some(line => line.msg === 'Watching files'), PATIENT)

  let [acknowledged, stopped] = [0, false]
  const failures: unknown[] = []
  const headers = { 'content-type': 'application/x-protobuf' }
  const senders = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers, body: SPAN })
      await answer.arrayBuffer()
      if (answer.status === 200) acknowledged++
      else failures.push(answer.status)
    }
  })
  const lines = (msg: string) => program.logs().filter(line => line.msg === msg)
  const put = async (name: string, text: string, outcome: string) => {
    const [before, sent] = [lines(outcome).length, acknowledged]
    await until(() => acknowledged > sent + 10, PATIENT)
    // As editors do: a new file takes the place of the old one.
    await writeFile(dir.file(`.${name}.swp`), text)
    await rename(dir.file(`.${name}.swp`), dir.file(name))
    await until(() => lines(outcome).length > before, PATIENT)
    const now = acknowledged
    await until(() => acknowledged > now + 10, PATIENT)
  }
  await put('stamp.ts', component('v1'), 'Config updated')
  await put('mark.ts', `export const mark = '-marked'`, 'Config updated')
  await put(
    'stamp.ts',
    component('v2').replace('create:', 'crate:'),
    'Config not updated, the previous one keeps running',
  )
  await put('stamp.ts', `${component('v2')}const a = (`, 'Config not updated, the previous one keeps running')
  await put('stamp.ts', component('v3'), 'Config updated')
  stopped = true
  await Promise.all(senders)
  program.signal('SIGTERM')
  expect((await program.exit).code).toBe(0)

  expect(failures).toEqual([])
  const spans = (await readFile(dir.file('out.jsonl'), 'utf8')).trim().split('\n')
  expect(spans.length).toBe(acknowledged)
  const versions = spans.map(line => /"version","value":\{"stringValue":"(.*?)"/.exec(line)?.[1])
  expect(versions.filter((version, at) => version !== versions[at - 1])).toEqual(['v0', 'v1', 'v1-marked', 'v3-marked'])
  for (const { started, stopped } of lines('Config updated')) {
    expect([started, stopped]).toEqual([
      ['"stamp" processor, in pipeline "traces"'],
      ['"stamp" processor, in pipeline "traces"'],
    ])
  }
  const errors = lines('Config not updated, the previous one keeps running').map(line => String(line.error))
  expect(errors[0]).toContain('its export "stamp" is not a component: create must be a function, got nothing')
  expect(errors[1]).toMatch(/Expression expected, at \S+stamp\.ts:14/)
})
