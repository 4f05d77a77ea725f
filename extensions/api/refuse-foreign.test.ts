import { expect, test } from 'vitest'
import { faultIn, json, route, runningApi } from './rig.test-support.ts'

const PAGE = 'https://news.example'

test.each([
  ['POST', { 'sec-fetch-site': 'cross-site', origin: PAGE }, '403 FOREIGN_ORIGIN'],
  ['POST', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }, '403 FOREIGN_ORIGIN'],
  ['DELETE', { 'sec-fetch-site': 'cross-site' }, '403 FOREIGN_ORIGIN'],
  ['POST', { 'sec-fetch-site': 'same-origin' }, 200],
  ['POST', { 'sec-fetch-site': 'none' }, 200],
  ['POST', {}, 200],
  ['GET', { 'sec-fetch-site': 'cross-site', origin: PAGE }, 200],
] as const)('%s with %j: %s', async (method, headers, expected) => {
  await using api = await runningApi()
  api.host.add({ routes: (['GET', 'POST', 'DELETE'] as const).map(each => route({ method: each })) })
  const response = await api.ask('/test', { method, headers })
  expect(response.status === 200 ? 200 : await faultIn(response)).toBe(expected)
})

test('an origin that CORS lets in may change things', async () => {
  await using api = await runningApi({ cors: { allowed_origins: ['https://*.example'] } })
  api.host.add({ routes: [route({ method: 'POST' })] })
  const from = (origin: string) =>
    api.ask(
      '/test',
      json({}, { headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site', origin } }),
    )
  expect([(await from(PAGE)).status, (await from('https://other.test')).status]).toEqual([200, 403])
})
