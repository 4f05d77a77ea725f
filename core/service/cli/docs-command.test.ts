import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { counter } from '#core/component'
import { tempDir } from '#core/testing'
import { cli } from './cli.test-support.ts'
import { putTable } from './component-readme.ts'
import { instrumentsOf, instrumentTable } from './instrument-table.ts'

const README = '# Exporter\n\n<!-- options -->\nold\n<!-- /options -->\n\n<!-- metrics -->\n<!-- /metrics -->\n\nEnd.\n'

describe('docs', () => {
  test('writes the tables between their marks, and only then finds nothing to do', async () => {
    await using dir = await tempDir()
    const folder = join(dir.path, 'exporters/e')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'README.md'), README)
    const telemetry = `export const mine = { sent: { kind: 'counter', name: 'otelcol_sent', unit: '{span}', description: 'Sent.' } }\nexport const other = 5\n`
    await writeFile(join(folder, 'telemetry.ts'), telemetry)

    expect(await cli(['docs', dir.path, '--check'])).toEqual({
      code: 1,
      out: '',
      err: 'Error: exporters/e/README.md is not up to date\n',
    })
    expect(await cli(['docs', dir.path])).toEqual({ code: 0, out: 'exporters/e/README.md\n', err: '' })
    const written = await readFile(join(folder, 'README.md'), 'utf8')
    expect(written).toContain('<!-- options -->\n\n| Option |')
    expect(written).toContain('| `timeout` | duration | `1s` | What it is for. |')
    expect(written).toContain('| `otelcol_sent` | counter | `{span}` | basic |  | Sent. |')
    expect(written).toMatch(/^# Exporter\n[\s\S]*\nEnd\.\n$/)
    expect(written).not.toContain('old')
    expect(await cli(['docs', dir.path, '--check'])).toEqual({ code: 0, out: '', err: '' })
    expect(await cli(['docs', dir.path])).toEqual({ code: 0, out: '', err: '' })
  })

  test('a text without marks stays as it is', () => {
    for (const text of ['', 'text', '<!-- options -->', '<!-- /options --> <!-- options -->']) {
      expect(putTable(text, 'options', 'x')).toBe(text)
    }
  })
})

test('instruments are found among whatever a module exports', () => {
  const sent = counter({ name: 'a', unit: '1', description: 'A | b.', labels: ['x'], level: 'normal' })
  expect(instrumentsOf({ a: { sent }, b: null, c: {}, d: 'x', e: { sent, other: 5 }, f: () => {} })).toEqual([sent])
  expect(instrumentTable([sent])).toContain('| `a` | counter | `1` | normal | `x` | A \\| b. |')
  expect(instrumentTable([])).toBe('None of its own.\n')
})
