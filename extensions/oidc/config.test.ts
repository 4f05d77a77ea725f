import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkOidc, oidcConfig, providersOf } from './config.ts'

const A = { issuer_url: 'https://a.example', audience: 'x' }

test.each([
  [{}, ['providers: must have at least one provider']],
  [{ providers: [A] }, []],
  [A, []],
  [{ ...A, providers: [{ ...A, issuer_url: 'https://b.example' }] }, []],
  [{ providers: [A, A] }, ['duplicate issuer URL found: https://a.example']],
  [{ ...A, providers: [A] }, ['duplicate issuer URL found: https://a.example']],
  [{ providers: [{ audience: 'x' }] }, ['no IssuerURL provided for the OIDC configuration']],
  [{ providers: [{ ...A, issuer_url: 'a.example' }] }, ['issuer_url must be a http or https URL']],
  [{ providers: [{ issuer_url: A.issuer_url }] }, ['no Audience provided for the OIDC configuration']],
  [{ providers: [{ issuer_url: A.issuer_url, ignore_audience: true }] }, []],
])('%j', (written, faults) => {
  expect([...checkOidc(configure(oidcConfig, written))]).toEqual(faults)
})

test('a provider written without a list comes first', () => {
  const config = configure(oidcConfig, { ...A, providers: [{ ...A, issuer_url: 'https://b.example' }] })
  expect(providersOf(config).map(each => each.issuer_url)).toEqual(['https://a.example', 'https://b.example'])
})
