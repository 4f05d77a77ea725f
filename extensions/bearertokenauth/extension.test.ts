import { rename, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { Code, type Refusal } from '#core/component'
import { configure, type TestContext, tempDir, testContext, until } from '#core/testing'
import { bearerTokenAuthConfig } from './config.ts'
import { BearerTokenAuth } from './extension.ts'

function create(written: object, context = testContext({ id: 'bearertokenauth', kind: 'extension' })) {
  return { extension: new BearerTokenAuth(configure(bearerTokenAuthConfig, written), context), context }
}

/** `in`, or the gRPC code and the sentence that the sender is told. */
async function verdict(extension: BearerTokenAuth, value: string | undefined, header = 'authorization') {
  const headers = new Map(value === undefined ? [] : [[header, [value]]])
  return extension.authenticate(headers).then(
    () => 'in',
    (error: Refusal) => `${error.code} ${error.message}`,
  )
}

const REFUSED = `${Code.UNAUTHENTICATED} scheme or token does not match`
const NOTHING = `${Code.UNAUTHENTICATED} missing or empty authorization header`

describe('a server lets in', () => {
  test.each([
    [{ token: 'abc' }, 'Bearer abc', 'in'],
    [{ token: 'abc' }, 'bearer abc', 'in'],
    [{ token: 'abc' }, 'Bearer abd', REFUSED],
    [{ token: 'abc' }, 'Bearer abcd', REFUSED],
    [{ token: 'abc' }, 'Bearer ', REFUSED],
    [{ token: 'abc' }, 'Basic abc', REFUSED],
    [{ token: 'abc' }, 'abc', REFUSED],
    [{ token: 'abc' }, '', `${NOTHING}: Authorization`],
    [{ token: 'abc' }, undefined, `${NOTHING}: Authorization`],
    [{ tokens: ['abc', 'xyz'] }, 'Bearer xyz', 'in'],
    [{ tokens: ['abc', 'xyz'] }, 'Bearer xy', REFUSED],
    [{ token: 'abc', scheme: '' }, 'abc', 'in'],
    [{ token: 'abc', scheme: 'ApiKey' }, 'ApiKey abc', 'in'],
  ])('%j, sent %j: %s', async (written, sent, expected) => {
    expect(await verdict(create(written).extension, sent)).toBe(expected)
  })

  test('who shows a token in the header of its choice', async () => {
    const { extension } = create({ token: 'abc', header: 'X-Api-Key', scheme: '' })
    expect(await verdict(extension, 'abc', 'x-api-key')).toBe('in')
    expect(await verdict(extension, 'abc')).toBe(`${NOTHING}: X-Api-Key`)
  })
})

test('a client sends the first token', async () => {
  expect(await create({ token: 'abc' }).extension.headers()).toEqual({ authorization: 'Bearer abc' })
  const written = { tokens: ['abc', 'xyz'], header: 'X-Key', scheme: '' }
  expect(await create(written).extension.headers()).toEqual({ 'x-key': 'abc' })
})

test('attempts are counted', async () => {
  const { extension, context } = create({ tokens: ['abc', 'xyz'] })
  await verdict(extension, 'Bearer xyz')
  await verdict(extension, 'Bearer wrong')
  await verdict(extension, undefined)
  await extension.headers()
  const of = (auth_type: string, auth_status: string, index: number) =>
    context.meter.value('otelcol_bearer_token_auth_usage', {
      auth_type,
      auth_status,
      token_index: String(index),
      token_matched: String(index >= 0),
    })
  expect([of('server', 'success', 1), of('server', 'failure', -1), of('client', 'success', 0)]).toEqual([1, 2, 1])
})

/** Lets a second pass and the look at the file that then falls due finish. */
async function look(context: TestContext, ms = 1000): Promise<void> {
  await context.fakeClock.advance(ms)
  await until(() => context.fakeClock.pending === 1, { what: 'the next look to be planned' })
}

describe('a file', () => {
  test('of tokens is followed through replacement, and wins over what is written', async () => {
    await using dir = await tempDir()
    const filename = dir.file('tokens')
    await writeFile(filename, 'one\n\n  two \n')
    const { extension, context } = create({ filename, token: 'written' })
    await extension.start()
    expect(context.logger.messages('warn')).toEqual(['a filename is specified. Configured token(s) is ignored!'])
    expect(await verdict(extension, 'Bearer two')).toBe('in')
    expect(await verdict(extension, 'Bearer written')).toBe(REFUSED)
    expect(await verdict(extension, 'Bearer ')).toBe(REFUSED)
    await writeFile(dir.file('new'), 'three')
    await rename(dir.file('new'), filename)
    await look(context)
    expect(await verdict(extension, 'Bearer three')).toBe('in')
    expect(await verdict(extension, 'Bearer two')).toBe(REFUSED)
    expect(await extension.headers()).toEqual({ authorization: 'Bearer three' })
    await writeFile(filename, '\n\n')
    await look(context)
    expect(await verdict(extension, 'Bearer three')).toBe('in')
    await extension.shutdown()
    expect(context.fakeClock.pending).toBe(0)
  })

  test('that is not there keeps the extension from starting', async () => {
    await expect(create({ filename: '/nowhere/token' }).extension.start()).rejects.toThrow(
      'Could not read /nowhere/token: ENOENT',
    )
  })

  test('is waited for when told to; until then senders are asked to try again', async () => {
    await using dir = await tempDir()
    const filename = dir.file('token')
    const { extension, context } = create({ filename, file_retry: { enabled: true, retry_interval: '2s' } })
    await extension.start()
    const unavailable = `${Code.UNAVAILABLE} No token yet: ${filename} has not been read`
    expect(await verdict(extension, 'Bearer abc')).toBe(unavailable)
    await expect(extension.headers()).rejects.toThrow('No token yet')
    await look(context, 2000)
    expect(context.statuses.map(({ status }) => status)).toEqual(['RecoverableError'])
    await writeFile(filename, 'abc')
    await look(context, 2000)
    expect(context.statuses.map(({ status }) => status)).toEqual(['RecoverableError', 'OK'])
    expect(await verdict(extension, 'Bearer abc')).toBe('in')
    await extension.shutdown()
    expect(context.fakeClock.pending).toBe(0)
  })

  test('is waited for so often and no more', async () => {
    const file_retry = { enabled: true, max_retries: 2, retry_interval: '1s' }
    const { extension, context } = create({ filename: '/nowhere/token', file_retry })
    await extension.start()
    await look(context)
    await context.fakeClock.advance(1000)
    await until(() => context.statuses.length === 2)
    expect(context.statuses.map(({ status }) => status)).toEqual(['RecoverableError', 'PermanentError'])
    expect(context.fakeClock.pending).toBe(0)
    await extension.shutdown()
  })
})

test('no sentence and no log line has a token in it', async () => {
  await using dir = await tempDir()
  const filename = dir.file('token')
  await writeFile(filename, 'secret-one')
  const { extension, context } = create({ filename, token: 'secret-two' })
  await extension.start()
  expect(await verdict(extension, 'Bearer secret-three')).not.toContain('secret')
  await writeFile(filename, 'secret-four')
  await look(context)
  await extension.shutdown()
  expect(JSON.stringify(context.logger.lines)).not.toContain('secret-')
})
