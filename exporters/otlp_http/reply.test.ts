import { describe, expect, test } from 'vitest'
import { PartialError, PermanentError, RetryableError } from '#core/component'
import { encodeStatus, statusJson } from '#core/net'
import { judge } from './reply.ts'

const NOW = Date.UTC(2026, 0, 1)
const URL = 'http://backend:4318/v1/traces'
const PROTO = { 'content-type': 'application/x-protobuf' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

function told(status: number, headers: Record<string, string> = {}, body: Buffer | string = '') {
  try {
    return judge('traces', URL, { status, headers, body: Buffer.from(body) }, NOW)
  } catch (error) {
    return error
  }
}

const text = (status: number) => `error exporting items, request to ${URL} responded with HTTP Status Code ${status}`

describe('a refusal', () => {
  test.each([
    [301, PermanentError, 2],
    [400, PermanentError, 3],
    [401, PermanentError, 16],
    [403, PermanentError, 7],
    [404, PermanentError, 12],
    [413, PermanentError, 2],
    [429, RetryableError, 8],
    [500, PermanentError, 2],
    [501, PermanentError, 2],
    [502, RetryableError, 14],
    [503, RetryableError, 14],
    [504, RetryableError, 14],
  ])('with %i', (status, kind, code) => {
    const error = told(status)
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({ message: text(status), code })
  })

  test.each([
    ['protobuf', PROTO, encodeStatus({ code: 3, message: 'bad span' })],
    ['JSON', JSON_TYPE, statusJson({ code: 3, message: 'bad span' })],
  ])('tells what the server says in %s', (_, headers, body) => {
    expect(told(400, headers, body)).toMatchObject({ message: `${text(400)}, Message=bad span, Details=[]` })
  })

  test('is not garbled by a body that is no Status', () => {
    expect(told(502, { 'content-type': 'text/html' }, '<html>bad gateway</html>')).toMatchObject({ message: text(502) })
  })

  test.each([
    [429, '7', 7000],
    [503, '7', 7000],
    [503, 'Thu, 01 Jan 2026 00:00:03 GMT', 3000],
    [503, 'soon', undefined],
    [502, '7', undefined],
    [504, '7', undefined],
  ])('%i with Retry-After %s asks to wait %s ms', (status, header, after) => {
    expect(told(status, { 'retry-after': header })).toMatchObject({ name: 'RetryableError', after })
  })
})

describe('a success', () => {
  test.each([200, 201, 202, 204, 299])('is any 2xx: %i', status => {
    expect(told(status)).toBeUndefined()
  })

  const partly = Buffer.from('0a0808021204736f7279', 'hex')
  const json = (partialSuccess: object) => JSON.stringify({ partialSuccess })
  test.each<[string, Record<string, string>, Buffer | string, unknown]>([
    ['whole, in protobuf', PROTO, Buffer.from('0a00', 'hex'), undefined],
    ['whole, in JSON', JSON_TYPE, json({}), undefined],
    ['in part, in protobuf', PROTO, partly, new PartialError(2, 'sory')],
    ['in part, in JSON', JSON_TYPE, json({ rejectedSpans: '2', errorMessage: 'x' }), new PartialError(2, 'x')],
    ['with a warning', JSON_TYPE, json({ errorMessage: 'soon full' }), 'soon full'],
    ['with rejected items of another signal', JSON_TYPE, json({ rejectedLogRecords: '2' }), undefined],
    ['with something that is no response', PROTO, 'nonsense', undefined],
    ['with something that is no JSON', JSON_TYPE, 'nonsense', undefined],
    ['in another type', { 'content-type': 'text/plain' }, partly, undefined],
  ])('%s', (_, headers, body, expected) => {
    expect(told(200, headers, body)).toEqual(expected)
  })
})
