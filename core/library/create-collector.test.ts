import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { RetryableError } from '#core/component'
import { ConfigError } from '#core/config'
import type { LogEntry } from '#core/service'
import { tempDir } from '#core/testing'
import { memoryExporter } from '../../exporters/memory/index.ts'
import { otlpHttpExporter } from '../../exporters/otlp_http/index.ts'
import { attributesProcessor } from '../../processors/attributes/index.ts'
import { batchProcessor } from '../../processors/batch/index.ts'
import { memoryReceiver } from '../../receivers/memory/index.ts'
import { createCollector, defineConfig } from './index.ts'

const span = (name: string) => ({ resourceSpans: [{ scopeSpans: [{ spans: [{ name }] }] }] })

function composed() {
  const input = memoryReceiver()
  const output = memoryExporter()
  const components = [input, batchProcessor, attributesProcessor, output, otlpHttpExporter] as const
  return { input, output, components }
}

const PASS = { traces: { receivers: ['memory'], exporters: ['memory'] } } as const
const INSERT = (value: string) => ({ actions: [{ key: 'tenant', action: 'insert', value }] })

test('carries telemetry from the program and back to it', async () => {
  const { input, output, components } = composed()
  const config = defineConfig({
    components,
    receivers: { memory: {} },
    processors: { attributes: INSERT('a') },
    exporters: { memory: {} },
    service: { pipelines: { traces: { ...PASS.traces, processors: ['attributes'] } } },
  })
  await using collector = await createCollector(config).start()
  await input.traces(span('GET /'))
  expect(output.spans()).toMatchObject([{ name: 'GET /', attributes: { tenant: 'a' } }])
  expect(collector.state).toBe('Running')
})

describe('a configuration may be', () => {
  const YAML = `
receivers:
  memory:
exporters:
  memory:
service:
  pipelines:
    traces: {receivers: [memory], exporters: [memory]}
`

  test('text', async () => {
    const { input, output, components } = composed()
    await using _ = await createCollector({ components, config: YAML }).start()
    await input.traces(span('a'))
    expect(output.items).toBe(1)
  })

  test('a file, as a path or as a URL', async () => {
    await using dir = await tempDir()
    const path = dir.file('a config.yaml')
    await writeFile(path, YAML)
    for (const config of [path, `file:${path}`, pathToFileURL(path)]) {
      const { input, output, components } = composed()
      await using _ = await createCollector({ components, config }).start()
      await input.traces(span('a'))
      expect(output.items).toBe(1)
    }
  })

  test('wrong: the place is told', async () => {
    const { components } = composed()
    const collector = createCollector({ components, config: YAML.replace('memory:\nexp', 'memory: {a: 1}\nexp') })
    const error = await collector.start().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toContain('config:3:12')
    expect(collector.state).toBe('Closed')
  })
})

test('two components of one name cannot be composed', () => {
  const components = [memoryReceiver(), memoryReceiver()]
  expect(() => createCollector({ components, config: 'a.yaml' })).toThrow('Cannot compose two receivers named "memory"')
})

test('a reload changes what is different, and a bad one nothing', async () => {
  const { input, output, components } = composed()
  const base = { receivers: { memory: {} }, exporters: { memory: {} } }
  const service = { pipelines: { traces: { ...PASS.traces, processors: ['attributes'] as const } } }
  const log: LogEntry[] = []
  await using collector = await createCollector({
    components,
    config: { ...base, processors: { attributes: INSERT('a') }, service },
    log: entry => log.push(entry),
  }).start()
  const change = await collector.reload({ ...base, processors: { attributes: INSERT('b') }, service })
  expect(change).toMatchObject({ kept: expect.arrayContaining([expect.stringContaining('memory')]) })
  await input.traces(span('1'))
  await expect(
    collector.reload({ ...base, processors: { attributes: INSERT('c') }, service: { pipelines: {} } }),
  ).rejects.toThrow(ConfigError)
  await collector.reload()
  await input.traces(span('2'))
  expect(output.spans()).toMatchObject([{ attributes: { tenant: 'b' } }, { attributes: { tenant: 'b' } }])
  expect(log.map(({ message }) => message)).toContain('Config updated')
})

test('a flush waits until what was taken in has gone out, and names what does not', async () => {
  const { input, output, components } = composed()
  await using collector = await createCollector({
    components,
    config: {
      receivers: { memory: {} },
      processors: { batch: { timeout: '20ms' } },
      exporters: { memory: {} },
      service: { pipelines: { traces: { ...PASS.traces, processors: ['batch'] } } },
    },
  }).start()
  await input.traces(span('a'))
  await collector.flush()
  expect(output.items).toBe(1)
  await collector.reload({
    receivers: { memory: {} },
    processors: { batch: { timeout: '1h' } },
    exporters: { memory: {} },
    service: { pipelines: { traces: { ...PASS.traces, processors: ['batch'] } } },
  })
  await input.traces(span('b'))
  await expect(collector.flush(10)).rejects.toThrow('Could not flush within 10 ms: 1 items of traces wait')
})

test('a log function or a listener of the program that throws stops nothing', async () => {
  const { input, output, components } = composed()
  const config = { receivers: { memory: {} }, exporters: { memory: {} }, service: { pipelines: PASS } }
  const log = () => {
    throw new Error('full')
  }
  const collector = createCollector({ components, config, log })
  collector.onStatus(() => {
    throw new Error('gone')
  })
  await collector.start()
  await input.traces(span('a'))
  await collector.shutdown()
  expect([output.items, collector.state]).toEqual([1, 'Closed'])
})

test('tells of every status on the way', async () => {
  const { components } = composed()
  const config = { receivers: { memory: {} }, exporters: { memory: {} }, service: { pipelines: PASS } }
  const collector = createCollector({ components, config })
  const seen: string[] = []
  collector.onStatus(({ kind, status }) => seen.push(`${kind} ${status}`))
  await collector.start()
  await collector.shutdown()
  expect(seen.filter(each => each.startsWith('receiver'))).toEqual(
    ['Starting', 'OK', 'Stopping', 'Stopped'].map(status => `receiver ${status}`),
  )
})

test('shows how its components are, what became of items, and its metrics', async () => {
  const { input, output, components } = composed()
  const config = { receivers: { memory: {} }, exporters: { memory: {} }, service: { pipelines: PASS } }
  await using collector = await createCollector({ components, config, name: 'orders', version: '1.2.3' }).start()
  output.refuse(new RetryableError('no'))
  await expect(input.traces(span('a'))).rejects.toThrow('no')
  output.refuse(undefined)
  await input.traces(span('b'))
  expect(collector.status()).toMatchObject([
    { kind: 'exporter', id: 'memory', status: 'OK' },
    { kind: 'receiver', id: 'memory', status: 'OK' },
  ])
  expect(collector.ledger().exporters).toMatchObject({ memory: { sent: 1, refused: 1 } })
  expect(await collector.metricsText()).toContain(
    'otelcol_receiver_accepted_spans{receiver="memory",transport="memory"} 1',
  )
  expect(collector.overview().pipelines.map(({ id }) => id)).toEqual(['traces'])
})
