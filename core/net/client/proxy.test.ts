import { describe, expect, test } from 'vitest'
import { proxyFor } from './proxy.ts'

const ENVIRONMENT = { HTTP_PROXY: 'http://plain:3128', https_proxy: 'secure:3129' }

function chosen(target: string, environment: Record<string, string>, configured = ''): string | undefined {
  return proxyFor(new URL(target), configured, environment)?.origin
}

describe('the proxy', () => {
  test.each([
    ['http://backend:4318', 'http://plain:3128'],
    ['https://backend:4318', 'http://secure:3129'],
    ['http://localhost:4318', undefined],
    ['http://127.0.0.9:4318', undefined],
    ['http://[::1]:4318', undefined],
    ['https://localhost', undefined],
  ])('for %s comes from the environment', (target, proxy) => {
    expect(chosen(target, ENVIRONMENT)).toBe(proxy)
  })

  test('is none when the environment names none', () => {
    expect(chosen('http://backend', {})).toBeUndefined()
  })

  test('that is configured wins, exceptions or not', () => {
    expect(chosen('http://localhost', { ...ENVIRONMENT, NO_PROXY: '*' }, 'http://mine:1')).toBe('http://mine:1')
  })

  test('must be a URL that can be one', () => {
    expect(() => chosen('http://backend', { HTTP_PROXY: 'socks5://x' })).toThrow(
      'HTTP_PROXY must be the http or https URL of a proxy',
    )
  })
})

test.each([
  ['*', 'http://backend', true],
  ['backend', 'http://backend', true],
  ['BACKEND', 'http://backend', true],
  ['end', 'http://backend', false],
  ['example.com', 'http://example.com', true],
  ['example.com', 'http://a.example.com', true],
  ['example.com', 'http://notexample.com', false],
  ['.example.com', 'http://example.com', false],
  ['.example.com', 'http://a.example.com', true],
  ['*.example.com', 'http://a.example.com', true],
  ['example.com:4318', 'http://example.com:4318', true],
  ['example.com:4318', 'http://example.com:9999', false],
  ['example.com:80', 'http://example.com', true],
  ['10.0.0.0/8', 'http://10.1.2.3', true],
  ['10.0.0.0/8', 'http://11.1.2.3', false],
  ['10.1.2.3', 'http://10.1.2.3', true],
  ['other, ,backend ', 'http://backend', true],
])('NO_PROXY=%s with %s: direct is %s', (NO_PROXY, target, direct) => {
  expect(chosen(target, { ...ENVIRONMENT, NO_PROXY }) === undefined).toBe(direct)
})
