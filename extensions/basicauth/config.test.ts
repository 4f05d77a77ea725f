import { expect, test } from 'vitest'
import { redactSchema } from '#core/config'
import { configure } from '#core/testing'
import { basicAuthConfig, checkBasicAuth } from './config.ts'

test.each([
  [{}, ['no credential source provided']],
  [{ htpasswd: {} }, ['htpasswd: no credential source provided']],
  [{ htpasswd: { file: 'users' } }, []],
  [{ htpasswd: { inline: 'a:b' } }, []],
  [{ client_auth: { username: 'a', password: 'b' } }, []],
  [{ client_auth: { username: 'a:b', password: 'b' } }, ['client_auth::username: must not contain a colon']],
  [
    { htpasswd: { inline: 'a:b' }, client_auth: { username: 'a', password: 'b' } },
    ['only one of `htpasswd` or `client_auth` can be specified'],
  ],
])('%j', (written, faults) => {
  expect([...checkBasicAuth(configure(basicAuthConfig, written))]).toEqual(faults)
})

test('passwords are never printed', () => {
  const written = { htpasswd: { inline: 'a:hidden' }, client_auth: { username: 'a', password: 'hidden' } }
  expect(JSON.stringify(redactSchema(basicAuthConfig, configure(basicAuthConfig, written)))).not.toContain('hidden')
})
