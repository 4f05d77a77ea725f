import { expect, test } from 'vitest'
import { redactSchema } from '#core/config'
import { configure } from '#core/testing'
import { checkHeadersSetter, headersSetterConfig, headersSetterDependencies } from './config.ts'

const MISSING = "missing header source, must be 'from_context', 'from_attribute', 'value' or 'value_file'"
const SEVERAL = "invalid header source, must be only one of 'from_context', 'from_attribute', 'value' or 'value_file'"

test.each([
  [{}, ['headers: missing headers configuration']],
  [{ headers: [{ key: 'a', value: 'b' }] }, []],
  [{ headers: [{ key: 'a', value: '' }] }, []],
  [{ headers: [{ key: 'a', from_attribute: 'sub' }] }, []],
  [{ headers: [{ key: 'a', action: 'delete' }] }, []],
  [{ headers: [{ value: 'b' }] }, ['headers::0: missing header name']],
  [{ headers: [{ key: 'a', value: 'b' }, { key: 'a' }] }, [`headers::1: ${MISSING}`]],
  [{ headers: [{ key: 'a', value: 'b', from_context: 'c' }] }, [`headers::0: ${SEVERAL}`]],
  [{ headers: [{ key: 'a', from_attribute: 'b', value_file: 'c' }] }, [`headers::0: ${SEVERAL}`]],
])('%j', (written, faults) => {
  expect([...checkHeadersSetter(configure(headersSetterConfig, written))]).toEqual(faults)
})

test('values are never printed', () => {
  const config = configure(headersSetterConfig, { headers: [{ key: 'a', value: 'hidden', default_value: 'hidden' }] })
  expect(JSON.stringify(redactSchema(headersSetterConfig, config))).not.toContain('hidden')
})

test('the other authenticator starts first', () => {
  const config = configure(headersSetterConfig, { headers: [], additional_auth: 'basicauth/b' })
  expect([...headersSetterDependencies(config)]).toEqual(['basicauth/b'])
})
