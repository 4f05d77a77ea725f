import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { visible } from '#core/config'
import { cli } from '../../core/service/cli/cli.test-support.ts'
import type { Diagnostic } from '../../core/service/diagnostics/diagnostic.ts'
import { few } from './distribution.test-support.ts'

/**
 * Each `NAME.yaml` in `testdata/` is checked by the real command line; `NAME.txt` holds the exact answer. `NAME.2.yaml` is
 * merged over it; `.part.yaml` files are what others include.
 */
const folder = 'test/validate/testdata'
const names = readdirSync(folder)
  .filter(name => /^[^.]+\.yaml$/.test(name))
  .map(name => name.replace('.yaml', ''))

const env = {
  LIST: '[1, 2]',
  // A whole section, of which one value is a secret.
  EXPORTERS:
    'debug: { verbosity: loud }\notlp_http:\n  endpoint: https://backend:4318\n  headers: { key: s3cr3t, }\n  tmeout: 1s\n',
}

/** What stands on the command line beside the files. */
const further: Readonly<Record<string, readonly string[]>> = {
  'set-flags': [
    '--set=exporters.debug.verbosity=loud',
    '--set=exporters.debug.colour=s3cr3t',
    '--set=processors.batch.timeout=[1s]',
    '--set=exporters.otlp_http.headers.authorization=s3cr3t',
  ],
}

function argumentsOf(name: string): string[] {
  const second = `${folder}/${name}.2.yaml`
  const files = [`${folder}/${name}.yaml`, ...(readdirSync(folder).includes(`${name}.2.yaml`) ? [second] : [])]
  return ['validate', ...files.flatMap(file => ['--config', file]), ...(further[name] ?? [])]
}

test('there are more than fifty', () => expect(names.length).toBeGreaterThan(50))

describe.each(names)('%s', name => {
  test('is answered as expected', async () => {
    const { code, out, err } = await cli(argumentsOf(name), { env, distribution: few })
    expect(err).not.toContain('s3cr3t')
    expect(out).toBe('')
    await expect(`exit ${code}\n${err}`).toMatchFileSnapshot(`testdata/${name}.txt`)
  })

  test('is answered alike in JSON, with places that are there', async () => {
    const text = await cli(argumentsOf(name), { env, distribution: few })
    const json = await cli([...argumentsOf(name), '--format', 'json'], { env, distribution: few })
    expect(json).toMatchObject({ code: text.code, err: '' })
    expect(json.out).not.toContain('s3cr3t')
    const { valid, diagnostics } = JSON.parse(json.out) as { valid: boolean; diagnostics: Diagnostic[] }
    expect(valid).toBe(text.code === 0)
    for (const diagnostic of diagnostics) {
      expect(text.err).toContain(visible(diagnostic.message))
      expect(diagnostic.code).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(isInside(diagnostic)).toBe(true)
    }
  })
})

/** Whether the place of a diagnostic is one of its file, and the word that it is about ends behind its start. */
function isInside({ file, line, column, endLine, endColumn }: Diagnostic): boolean {
  if (file === undefined || line === undefined || column === undefined || !file.startsWith(folder)) return true
  const text = readFileSync(file, 'utf8').split('\n')[line - 1]
  const isPlace = text !== undefined && column >= 1 && column <= text.length + 1
  return isPlace && (endColumn === undefined || (endLine === line && endColumn > column))
}

test('no editor has repaired what is broken', () => {
  const bytes = (name: string) => readFileSync(`${folder}/${name}.yaml`)
  expect(bytes('byte-order-mark').subarray(0, 3).toString('hex')).toBe('efbbbf')
  expect(bytes('carriage-returns').toString()).toContain('\r\n')
  expect(bytes('tab-indentation').toString()).toContain('\n\totlp')
  expect(bytes('empty')).toHaveLength(0)
})

test('the shape of the JSON', async () => {
  const { out } = await cli([...argumentsOf('several-files'), '--format=json'], { env, distribution: few })
  await expect(out).toMatchFileSnapshot('testdata/several-files.json')
})

test('run says the same', async () => {
  const answers = await Promise.all(
    ['validate', 'run'].map(command =>
      cli([command, ...argumentsOf('unknown-options').slice(1)], { distribution: few }),
    ),
  )
  expect(answers[1]).toEqual(answers[0])
  expect(answers[1]!.err).toContain('^^^^')
})

test('with --strict, warnings fail too', async () => {
  expect(await cli([...argumentsOf('warnings')], { env, distribution: few })).toMatchObject({ code: 0 })
  expect(await cli([...argumentsOf('warnings'), '--strict'], { env, distribution: few })).toMatchObject({ code: 1 })
})
