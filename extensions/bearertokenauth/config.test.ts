import { expect, test } from 'vitest'
import { redactSchema } from '#core/config'
import { configure } from '#core/testing'
import { bearerTokenAuthConfig, checkBearerTokenAuth } from './config.ts'

test.each([
  [{}, ['no bearer token provided']],
  [{ token: 'a' }, []],
  [{ tokens: ['a', 'b'] }, []],
  [{ filename: '/run/token' }, []],
  [{ token: 'a', filename: '/run/token' }, []],
  [{ token: 'a', tokens: ['b'] }, ['either tokens or token should be provided, not both']],
  [{ tokens: ['a', ''] }, ['tokens: no token may be empty']],
  [
    { token: 'a', file_retry: { enabled: true, retry_interval: '0s' } },
    ['file_retry::retry_interval: must be positive'],
  ],
])('%j', (written, faults) => {
  expect([...checkBearerTokenAuth(configure(bearerTokenAuthConfig, written))]).toEqual(faults)
})

test('tokens are never printed', () => {
  const config = configure(bearerTokenAuthConfig, { token: 'hidden', tokens: ['hidden'] })
  expect(JSON.stringify(redactSchema(bearerTokenAuthConfig, config))).not.toContain('hidden')
})
