import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Collector } from '#core/service'
import { logs, tempDir, until } from '#core/testing'
import { freePorts } from '../../test/bench/ports.ts'
import { configurationOf } from './configuration.ts'
import { semconvProxy } from './index.ts'
import { OPTIONS, type Settings } from './options.ts'

test('a reload that changes the dictionary keeps what it has learned', { timeout: 60_000 }, async () => {
  await using dir = await tempDir()
  const [api, grpc, http] = (await freePorts(3)) as [number, number, number]
  const defaults = Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, option.default]))
  const ports = { 'api-port': api, 'otlp-grpc-port': grpc, 'otlp-http-port': http, 'listen-host': '127.0.0.1' }
  const file = dir.file('config.json')
  const write = (budget: number) => {
    const changed = { 'global-budget': budget, 'data-dir': dir.path, queue: 'memory' }
    const settings = { ...defaults, ...ports, ...changed } as unknown as Settings
    writeFileSync(
      file,
      JSON.stringify(configurationOf(settings, { protocol: 'http', address: '127.0.0.1:1', secure: false })),
    )
  }
  write(1000)
  const streams = { stdout: { write: () => true }, stderr: { write: () => true } }
  await using collector = new Collector({ distribution: semconvProxy, sources: [file], env: {}, streams })
  await collector.start()
  const cardinality = async () => (await fetch(`http://127.0.0.1:${api}/api/v1/cardinality?threshold=1`)).json()
  const send = async (count: number) => {
    const headers = { 'content-type': 'application/x-protobuf' }
    const answer = await fetch(`http://127.0.0.1:${http}/v1/logs`, {
      method: 'POST',
      headers,
      body: logs(count).flat(),
    })
    expect(answer.status).toBe(200)
  }
  await send(5)
  await until(async () => ((await cardinality()) as { total: number }).total === 2)
  write(2000)
  await collector.reload()
  await send(8)
  await until(async () => {
    const { global_budget, attributes } = (await cardinality()) as {
      global_budget: { limit: number }
      attributes: { name: string; cardinality: number }[]
    }
    return global_budget.limit === 2000 && attributes.find(each => each.name === 'n')?.cardinality === 8
  })
  const entry = await (await fetch(`http://127.0.0.1:${api}/api/v1/dictionary/n`)).json()
  expect(entry).toMatchObject({ count: 13 })
  const ready = await (await fetch(`http://127.0.0.1:${api}/readyz`)).json()
  expect(ready).toEqual({ status: 'ready', dictionary_entries: 2 })
  await collector.shutdown(1000)
})
