import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { encode } from '#core/data'
import { tempDir, until } from '#core/testing'
import { freePorts } from '../bench/ports.ts'
import { Program } from './process.ts'

const SPAN = encode('traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }] }] }] })

function config(port: number, out: string, over: { metadata?: boolean; exporter?: object } = {}): string {
  const http = { endpoint: `127.0.0.1:${port}`, include_metadata: over.metadata ?? false }
  return JSON.stringify({
    receivers: { otlp: { protocols: { http } } },
    exporters: { file: { path: out, append: true, ...over.exporter } },
    service: {
      telemetry: { logs: { encoding: 'json', sampling: { enabled: false } }, metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['file'] } },
    },
  })
}

test('SIGHUP under load: no request fails while receiver and exporter are replaced, and a bad file changes nothing', async () => {
  await using dir = await tempDir()
  const [port] = await freePorts(1)
  const file = dir.file('config.yaml')
  await writeFile(file, config(port!, dir.file('a.jsonl')))
  await using program = new Program(['--config', file])
  await until(() => program.logs().some(line => String(line.msg).startsWith('Everything is ready')))

  let answered = 0
  const failures: unknown[] = []
  let stopped = false
  const headers = { 'content-type': 'application/x-protobuf' }
  const send = async () => {
    while (!stopped) {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers, body: SPAN })
        await answer.arrayBuffer()
        if (answer.status === 200) answered++
        else failures.push(answer.status)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const senders = Array.from({ length: 4 }, send)
  const updates = () => program.logs().filter(line => line.msg === 'Config updated').length
  const reload = async (text: string) => {
    const [before, sent] = [updates(), answered]
    await until(() => answered > sent + 20)
    await writeFile(file, text)
    program.signal('SIGHUP')
    await until(() => updates() > before)
  }
  for (let i = 1; i <= 6; i++) {
    await reload(config(port!, dir.file('a.jsonl'), { metadata: i % 2 === 1 }))
    await reload(config(port!, dir.file(i % 2 === 1 ? 'b.jsonl' : 'a.jsonl'), { metadata: i % 2 === 1 }))
  }
  await writeFile(file, config(port!, dir.file('a.jsonl'), { exporter: { fromat: 'json' } }))
  program.signal('SIGHUP')
  const refusal = () => program.logs().find(line => String(line.msg).startsWith('Config not updated'))
  await until(() => refusal() !== undefined)
  expect(String(refusal()?.error)).toContain('fromat')
  const sent = answered
  await until(() => answered > sent + 20)
  stopped = true
  await Promise.all(senders)
  program.signal('SIGTERM')
  expect((await program.exit).code).toBe(0)
  expect(failures).toEqual([])
}, 60_000)
