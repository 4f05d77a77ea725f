import { describe, expect, test } from 'vitest'
import { post, testServer } from './testdata/harness.ts'

const HELLO = Buffer.from('hello')

describe('CORS', () => {
  const cors = { allowed_origins: ['https://*.example.com'], allowed_headers: ['X-Mine'], max_age: 60 }
  const preflight = (url: string, headers: Record<string, string>) =>
    fetch(url, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST', ...headers } })

  test('answers a preflight itself, before authentication', async () => {
    const authenticator = { authenticate: () => Promise.reject(new Error('no')) }
    await using server = await testServer({ authenticator, http: { cors } })
    const answer = await preflight(server.url, {
      origin: 'https://app.example.com',
      'access-control-request-headers': 'content-type,x-mine',
    })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-mine',
      'access-control-max-age': '60',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    })
  })

  test.each([
    ['another origin', { origin: 'https://example.org' }],
    ['a dot that is another character', { origin: 'https://appXexampleYcom' }],
    ['another header', { origin: 'https://a.example.com', 'access-control-request-headers': 'x-other' }],
    ['another method', { origin: 'https://a.example.com', 'access-control-request-method': 'DELETE' }],
    ['no origin', {}],
  ])('allows nothing for %s', async (_, headers) => {
    await using server = await testServer({ http: { cors } })
    const answer = await preflight(server.url, headers as Record<string, string>)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, null])
  })

  test('marks answers', async () => {
    await using server = await testServer({ http: { cors: { ...cors, exposed_headers: ['x-served-by'] } } })
    const answer = await post(server.url, HELLO, { origin: 'https://b.example.com' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://b.example.com')
    expect(answer.headers.get('access-control-expose-headers')).toBe('x-served-by')
    expect((await post(server.url, HELLO, { origin: 'https://x' })).headers.get('access-control-allow-origin')).toBe(
      null,
    )
  })

  test('any origin', async () => {
    await using server = await testServer({ http: { cors: { allowed_origins: ['*'], allowed_headers: ['*'] } } })
    const answer = await preflight(server.url, { origin: 'null', 'access-control-request-headers': 'x-any' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toBe('x-any')
  })
})
