import { rename, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type AuthData, type ConsumeContext, NO_CONTEXT, PermanentError } from '#core/component'
import { configure, TestHost, tempDir, testContext, until } from '#core/testing'
import { headersSetterConfig } from './config.ts'
import { HeadersSetter } from './extension.ts'

/** What the extension makes of the headers `request`. */
async function applied(headers: object[], request: Record<string, string> = {}, context: ConsumeContext = NO_CONTEXT) {
  const setter = new HeadersSetter(configure(headersSetterConfig, { headers }), testContext())
  await setter.start(new TestHost())
  return merged(request, await setter.headers(context, request))
}

function merged(request: Record<string, string>, changes: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries({ ...request, ...changes }).filter(([, value]) => value !== undefined))
}

function from(metadata: Record<string, string[]>, claims: Record<string, unknown> = {}): ConsumeContext {
  const auth: AuthData = { names: Object.keys(claims), attribute: name => claims[name] }
  return { metadata: new Map(Object.entries(metadata)), clientAddress: '10.1.2.3:4', auth }
}

describe('actions', () => {
  test.each([
    ['insert', {}, { a: 'new' }],
    ['insert', { a: 'old' }, { a: 'old' }],
    ['update', {}, {}],
    ['update', { a: 'old' }, { a: 'new' }],
    ['upsert', {}, { a: 'new' }],
    ['upsert', { a: 'old' }, { a: 'new' }],
    ['', { a: 'old' }, { a: 'new' }],
    ['delete', { a: 'old', b: 'kept' }, { b: 'kept' }],
    ['delete', { b: 'kept' }, { b: 'kept' }],
  ])('%j of %j gives %j', async (action, request: Record<string, string>, expected) => {
    expect(await applied([{ action, key: 'A', value: 'new' }], request)).toEqual(expected)
  })

  test('follow each other', async () => {
    const steps = [
      { action: 'delete', key: 'a' },
      { action: 'update', key: 'a', value: 'not there any more' },
      { action: 'insert', key: 'b', value: 'one' },
      { action: 'insert', key: 'b', value: 'two' },
      { action: 'update', key: 'b', value: 'three' },
    ]
    expect(await applied(steps, { a: 'old' })).toEqual({ b: 'three' })
  })

  test('a missing one is told', async () => {
    const context = testContext()
    const headers = [{ key: 'a', value: 'b' }]
    await new HeadersSetter(configure(headersSetterConfig, { headers }), context).start(new TestHost())
    expect(context.logger.messages('warn')).toHaveLength(1)
  })
})

describe('sources', () => {
  const context = from(
    { 'x-tenant': ['acme'] },
    { subject: 'ann', membership: ['a', 'b'], age: 42, 'claims.team': 't' },
  )
  test.each([
    [{ value: 'fixed' }, 'fixed'],
    [{ from_context: 'X-Tenant' }, 'acme'],
    [{ from_context: 'metadata.x-tenant' }, 'acme'],
    [{ from_context: 'x-other' }, ''],
    [{ from_context: 'x-other', default_value: 'none' }, 'none'],
    [{ from_context: 'auth.subject' }, 'ann'],
    [{ from_context: 'auth.claims.team' }, 't'],
    [{ from_context: 'auth.nothing', default_value: 'none' }, 'none'],
    [{ from_context: 'client.address' }, '10.1.2.3'],
    [{ from_attribute: 'subject' }, 'ann'],
    [{ from_attribute: 'membership' }, '["a","b"]'],
    [{ from_attribute: 'age' }, '42'],
    [{ from_attribute: 'nothing' }, ''],
    [{ from_attribute: 'nothing', default_value: 'none' }, 'none'],
  ])('%j: %s', async (source, expected) => {
    expect(await applied([{ action: 'upsert', key: 'a', ...source }], {}, context)).toEqual({ a: expected })
  })

  test('data that no authenticated request brought has the default', async () => {
    const header = { action: 'upsert', key: 'a', from_attribute: 'subject', default_value: 'none' }
    expect(await applied([header])).toEqual({ a: 'none' })
  })

  test('a header that came twice is a mistake that trying again does not mend', async () => {
    const header = { action: 'upsert', key: 'a', from_context: 'x-tenant' }
    const refused = applied([header], {}, from({ 'x-tenant': ['acme', 'evil'] }))
    await expect(refused).rejects.toThrow(PermanentError)
    await expect(refused).rejects.toThrow('the request has "x-tenant" 2 times, and one value is wanted')
  })

  test('a value that no header can carry is refused for good', async () => {
    const header = { action: 'upsert', key: 'a', from_attribute: 'subject' }
    for (const subject of ['ann\r\nx-admin: yes', '🎈', 'a\u0000']) {
      const refused = applied([header], {}, from({}, { subject }))
      await expect(refused).rejects.toThrow(PermanentError)
      await expect(refused).rejects.toThrow(
        'Could not set header a: its value has characters that headers cannot carry',
      )
    }
    expect(await applied([header], {}, from({}, { subject: 'jürgen\tx' }))).toEqual({ a: 'jürgen\tx' })
  })

  test('a file is followed', async () => {
    await using dir = await tempDir()
    const value_file = dir.file('key')
    await writeFile(value_file, 'one\n')
    const context = testContext()
    const written = { headers: [{ action: 'upsert', key: 'X-Api-Key', value_file }] }
    const setter = new HeadersSetter(configure(headersSetterConfig, written), context)
    await setter.start(new TestHost())
    expect(await setter.headers(NO_CONTEXT, {})).toEqual({ 'x-api-key': 'one' })
    await writeFile(dir.file('new'), 'two')
    await rename(dir.file('new'), value_file)
    await context.fakeClock.advance(1000)
    await until(() => context.fakeClock.pending === 1)
    expect(await setter.headers(NO_CONTEXT, {})).toEqual({ 'x-api-key': 'two' })
    await setter.shutdown()
    expect(context.fakeClock.pending).toBe(0)
  })
})

describe('with another authenticator', () => {
  const bearer = { secureOnly: true, headers: async () => ({ authorization: 'Bearer x', 'x-tenant': 'theirs' }) }
  const started = async (headers: object[]) => {
    const config = configure(headersSetterConfig, { headers, additional_auth: 'bearertokenauth' })
    const setter = new HeadersSetter(config, testContext())
    await setter.start(new TestHost({ bearertokenauth: bearer }))
    return setter
  }

  test('its headers are set first', async () => {
    const setter = await started([
      { action: 'upsert', key: 'x-tenant', value: 'ours' },
      { action: 'insert', key: 'authorization', value: 'ours' },
    ])
    const request = { authorization: 'configured' }
    expect(merged(request, await setter.headers(NO_CONTEXT, request))).toEqual({
      authorization: 'Bearer x',
      'x-tenant': 'ours',
    })
  })

  test('what is secret stays so', async () => {
    expect((await started([{ key: 'a', value: 'b' }])).secureOnly).toBe(true)
  })

  test('it must run', async () => {
    const config = configure(headersSetterConfig, { headers: [], additional_auth: 'basicauth' })
    await expect(new HeadersSetter(config, testContext()).start(new TestHost())).rejects.toThrow(
      'failed to resolve authenticator "basicauth": authenticator not found',
    )
  })
})
