import { createVerify, generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configure, FakeClock, tempDir } from '#core/testing'
import { securityEventConfig } from '../config.ts'
import { accessTokenOf, needsAccessToken } from './access-token.ts'

const { signal } = new AbortController()
const SENTINEL = configure(securityEventConfig, {
  preset: 'sentinel',
  sentinel: { tenant_id: 't', client_secret: 's' },
})

/** A token endpoint that answers as told. */
function authority(answer: () => { status: number; body: string }) {
  const forms: URLSearchParams[] = []
  return {
    forms,
    async post(_: string, form: URLSearchParams) {
      forms.push(form)
      const { status, body } = answer()
      return { status, body: Buffer.from(body), headers: {} }
    },
  }
}

test('a token is fetched once for all who ask, and renewed before it ends', async () => {
  const clock = new FakeClock()
  let n = 0
  const { forms, post } = authority(() => ({ status: 200, body: `{"access_token":"t${++n}","expires_in":600}` }))
  const token = accessTokenOf(SENTINEL, post, clock)
  expect(await Promise.all([token.get(signal), token.get(signal)])).toEqual(['t1', 't1'])
  await clock.advance(539_000)
  expect(await token.get(signal)).toBe('t1')
  await clock.advance(2000)
  expect(await token.get(signal)).toBe('t2')
  token.renew()
  expect(await token.get(signal)).toBe('t3')
  expect(forms.length).toBe(3)
})

test.each([
  [401, '{"error":"invalid_client"}', 'Could not get an access token, the authority answered 401: invalid_client'],
  [200, 'garbage', 'Could not get an access token, the authority answered 200'],
  [503, '', 'Could not get an access token, the authority answered 503'],
])('an authority that answers %d %s leaves events waiting', async (status, body, message) => {
  const { post } = authority(() => ({ status, body }))
  await expect(accessTokenOf(SENTINEL, post, new FakeClock()).get(signal)).rejects.toThrow(message)
})

test('a service account signs for itself', async () => {
  await using dir = await tempDir()
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const file = dir.file('key.json')
  await writeFile(
    file,
    JSON.stringify({ client_email: 'a@b', private_key, token_uri: 'https://oauth2.example.com/token' }),
  )
  const config = configure(securityEventConfig, { preset: 'google_secops', google_secops: { credentials_file: file } })
  expect(needsAccessToken(config)).toBe(true)
  const { forms, post } = authority(() => ({ status: 200, body: '{"access_token":"g"}' }))
  expect(await accessTokenOf(config, post, new FakeClock()).get(signal)).toBe('g')
  const [head, claims, signature] = forms[0]!.get('assertion')!.split('.') as [string, string, string]
  expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'a@b',
    aud: 'https://oauth2.example.com/token',
    iat: Date.UTC(2026, 0, 1) / 1000,
    exp: Date.UTC(2026, 0, 1, 1) / 1000,
  })
})
