import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatewayToEnd } from '../commands.test-support.ts'

const TESTDATA = join(import.meta.dirname, '../testdata')

test('errors end with 1, warnings with 0, and the sum goes to standard error', async () => {
  const bad = await gatewayToEnd('check', join(TESTDATA, 'bad-2026.9.6.json5'), '--gateway-version', '2026.9.6')
  expect(bad).toMatchObject({ code: 1, err: '15 errors, 6 warnings for gateway 2026.9.6\n' })
  expect(bad.out.trimEnd().split('\n')).toHaveLength(21)
  const good = await gatewayToEnd('check', join(TESTDATA, 'good-2026.4.25.json5'))
  expect(good).toMatchObject({ code: 0 })
  expect(good.err).toMatch(/^0 errors, 1 warning for gateway 2026.4.25, which last wrote the file/)
})

test('as JSON there are the same findings for programs', async () => {
  const { code, out } = await gatewayToEnd(
    'check',
    join(TESTDATA, 'bad-2026.4.25.json5'),
    '--format',
    'json',
    '--gateway-version=2026.4.25',
  )
  const { findings, ...head } = JSON.parse(out)
  expect({ code, ...head }).toMatchObject({ code: 1, version: '2026.4.25', versionFrom: 'option' })
  expect(findings[0]).toEqual({
    severity: 'error',
    rule: 'signal-path',
    path: 'diagnostics.otel.endpoint',
    message: 'must be the base URL without /v1/traces: 2026.4.25 posts metrics there too',
    line: 5,
    column: 7,
  })
  expect(findings).toHaveLength(11)
})

test.each([
  [[], 2, 'one configuration file must be given'],
  [['a', 'b'], 2, 'one configuration file must be given'],
  [['a', '--format', 'xml'], 2, 'format must be text or json'],
  [['a', '--gateway-version', 'x'], 2, 'must look like 2026.4.25'],
  [['/nowhere/openclaw.json'], 1, 'cannot read /nowhere/openclaw.json'],
])('%j ends with %i: %s', async (args, code, why) => {
  const result = await gatewayToEnd('check', ...args)
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toContain(why)
})
