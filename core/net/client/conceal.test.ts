import { expect, test } from 'vitest'
import { concealed, pairsOf } from './conceal.ts'

const HEADERS = [
  ...['authorization', 'Bearer the-token', 'x-key', 'long enough', 'x-tenant', 'acme'],
  ...['content-type', 'application/json', ':path', '/v1/traces/long'],
]

test.each([
  ['does not match: Bearer the-token', 'does not match: ****************'],
  ['does not match: the-token, the-token', 'does not match: *********, *********'],
  ['Bearer is not wanted', 'Bearer is not wanted'],
  ['key long enough of tenant acme', 'key *********** of tenant acme'],
  ['not application/json at /v1/traces/long', 'not application/json at /v1/traces/long'],
])('of our own headers a refusal tells nothing: %s', (told, shown) => {
  expect(concealed(told, pairsOf(HEADERS))).toBe(shown)
})
