import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringifyYaml } from '#core/config'
import { tempDir, until } from '#core/testing'
import { openBackend } from '../../core/service/telemetry/backend.test-support.ts'
import { Program } from './process.ts'

test('a collector that is told to stop exports its last words', async () => {
  await using backend = await openBackend()
  await using dir = await tempDir()
  const path = join(dir.path, 'config.yaml')
  const exporter = { otlp: { endpoint: `http://${backend.endpoint}` } }
  const telemetry = {
    logs: { encoding: 'json', processors: [{ batch: { schedule_delay: 3_600_000, exporter } }] },
    metrics: { readers: [{ periodic: { interval: 3_600_000, exporter } }] },
    traces: { processors: [{ batch: { schedule_delay: 3_600_000, exporter } }] },
  }
  const logs = { receivers: ['nop'], exporters: ['nop'] }
  const config = { receivers: { nop: null }, exporters: { nop: null }, service: { telemetry, pipelines: { logs } } }
  await writeFile(path, stringifyYaml(config))
  await using program = new Program(['--config', path])
  await until(() => program.logs().some(({ msg }) => String(msg).startsWith('Everything is ready')))
  program.signal('SIGTERM')
  expect(await program.exit).toEqual({ code: 0, signal: null })
  const said = backend.requests.map(({ body }) => JSON.stringify(body)).join()
  for (const words of ['Everything is ready', 'Shutdown complete.', 'otelcol_process_uptime'])
    expect(said).toContain(words)
})
