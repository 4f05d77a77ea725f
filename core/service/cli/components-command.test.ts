import { expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { cli } from './cli.test-support.ts'

test('components are listed as the Collector lists them, sorted by name, without aliases', async () => {
  const { code, out } = await cli(['components'])
  expect(code).toBe(0)
  expect(parseYaml(out)).toEqual({
    buildinfo: { command: 'mill', description: 'A collector for tests', version: '1.2.3' },
    receivers: [
      {
        name: 'r',
        module: 'mill/receivers/r v1.2.3',
        stability: { traces: 'Stable', metrics: 'Stable', logs: 'Beta' },
      },
    ],
    processors: [
      { name: 'p', module: 'mill/processors/p v1.2.3', stability: expect.anything() },
      { name: 'q', module: 'mill/processors/q v1.2.3', stability: expect.anything() },
    ],
    exporters: [{ name: 'e', module: 'mill/exporters/e v1.2.3', stability: expect.anything() }],
    connectors: [
      {
        name: 'c',
        module: 'mill/connectors/c v1.2.3',
        stability: { 'traces-to-traces': 'Development', 'traces-to-metrics': 'Alpha' },
      },
    ],
    extensions: [{ name: 'x', module: 'mill/extensions/x v1.2.3', stability: { extension: 'Stable' } }],
    providers: ['env', 'file', 'http', 'https', 'yaml'].map(scheme => ({ scheme, module: 'mill/core/config v1.2.3' })),
  })
})

test('JSON has descriptions and aliases as well', async () => {
  const { out } = await cli(['components', '--format', 'json'])
  expect(JSON.parse(out).processors[1]).toEqual({
    name: 'q',
    module: 'mill/processors/q v1.2.3',
    description: 'Processes.',
    aliases: ['old_q'],
    stability: { traces: 'Stable', metrics: 'Stable', logs: 'Beta' },
  })
})
