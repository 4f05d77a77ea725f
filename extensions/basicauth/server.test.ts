import { rename, writeFile } from 'node:fs/promises'
import { hashSync } from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { Code, type Refusal } from '#core/component'
import { configure, type TestContext, tempDir, testContext, until } from '#core/testing'
import { basicAuthConfig } from './config.ts'
import { basicHeader } from './credentials.ts'
import { BasicAuthServer } from './server.ts'

const SHA = '{SHA}L55TUjtiq8FBorTWAZ0jy6g129A='
const APR1 = '$apr1$abcdefgh$sIQmFnT1CuEXAsyjuXjUX/'

function create(htpasswd: object) {
  const context = testContext({ id: 'basicauth', kind: 'extension' })
  const server = new BasicAuthServer(configure(basicAuthConfig, { htpasswd }).htpasswd!, context)
  return { server, context, [Symbol.asyncDispose]: () => server.shutdown() }
}

function authenticate(server: BasicAuthServer, header: string | undefined) {
  return server.authenticate(new Map(header === undefined ? [] : [['authorization', [header]]]))
}

/** `in`, or the gRPC code and the sentence that the sender is told. */
function verdict(server: BasicAuthServer, header: string | undefined): Promise<string> {
  return authenticate(server, header).then(
    () => 'in',
    (error: Refusal) => `${error.code} ${error.message}`,
  )
}

const INVALID = `${Code.UNAUTHENTICATED} invalid credentials`

describe('a server', () => {
  test.each([
    ['the right password', basicHeader('sha', 'correct horse'), 'in'],
    ['a scheme in another case', basicHeader('sha', 'correct horse').replace('Basic', 'bAsIc'), 'in'],
    ['a slow hash', basicHeader('apr1', 'correct horse'), 'in'],
    ['a password as it is', basicHeader('plain', 'a:b'), 'in'],
    ['the wrong password', basicHeader('sha', 'correct horsf'), INVALID],
    ['the wrong password for a slow hash', basicHeader('apr1', 'correct horsf'), INVALID],
    ['no password', basicHeader('sha', ''), INVALID],
    ['the hash as password', basicHeader('sha', SHA), INVALID],
    ['an unknown user', basicHeader('nobody', 'correct horse'), INVALID],
    ['nothing', undefined, `${Code.UNAUTHENTICATED} no basic auth provided`],
    ['another scheme', 'Bearer abc', `${Code.UNAUTHENTICATED} invalid authorization scheme prefix`],
    ['no base64', 'Basic a:b', `${Code.UNAUTHENTICATED} invalid authorization format`],
    ['no colon', `Basic ${btoa('sha')}`, `${Code.UNAUTHENTICATED} invalid authorization format`],
    ['bytes that are no text', 'Basic /zpi', `${Code.UNAUTHENTICATED} invalid authorization format`],
  ])('shown %s', async (_, header, expected) => {
    await using it = create({ inline: `sha:${SHA}\napr1:${APR1}\nplain:a:b` })
    await it.server.start()
    expect(await verdict(it.server, header)).toBe(expected)
    expect(await verdict(it.server, header)).toBe(expected)
  })

  test('tells who came', async () => {
    await using it = create({ inline: `sha:${SHA}` })
    const auth = await authenticate(it.server, basicHeader('sha', 'correct horse'))
    expect(auth.names).toEqual(['username', 'raw'])
    expect([...auth.names, 'password'].map(name => auth.attribute(name))).toEqual([
      'sha',
      btoa('sha:correct horse'),
      undefined,
    ])
  })

  test('tells which lines say nothing, and not what they say', async () => {
    await using it = create({ inline: 'a:b\nsecret\nc:$y$secret$x' })
    const [line] = it.context.logger.lines
    expect(line?.fields).toEqual({ source: 'htpasswd::inline', lines: [2, 3] })
    expect(JSON.stringify(it.context.logger.lines)).not.toContain('secret')
  })
})

/** Lets a second pass and the look at the file that then falls due finish. */
async function look({ fakeClock }: TestContext): Promise<void> {
  await fakeClock.advance(1000)
  await until(() => fakeClock.pending === 1, { what: 'the next look to be planned' })
}

describe('an htpasswd file', () => {
  test('is followed; written lines win over it', async () => {
    await using dir = await tempDir()
    const file = dir.file('htpasswd')
    await writeFile(file, `a:${APR1}\nb:from file`)
    await using it = create({ file, inline: 'b:written' })
    await it.server.start()
    expect(await verdict(it.server, basicHeader('a', 'correct horse'))).toBe('in')
    expect(await verdict(it.server, basicHeader('b', 'written'))).toBe('in')
    expect(await verdict(it.server, basicHeader('b', 'from file'))).toBe(INVALID)
    await writeFile(dir.file('new'), 'a:changed\nc:came')
    await rename(dir.file('new'), file)
    await look(it.context)
    expect(await verdict(it.server, basicHeader('a', 'correct horse'))).toBe(INVALID)
    expect(await verdict(it.server, basicHeader('a', 'changed'))).toBe('in')
    expect(await verdict(it.server, basicHeader('c', 'came'))).toBe('in')
    await writeFile(file, '')
    await look(it.context)
    expect(await verdict(it.server, basicHeader('c', 'came'))).toBe('in')
  })

  test('that is not there keeps the extension from starting', async () => {
    await using it = create({ file: '/nowhere/htpasswd' })
    await expect(it.server.start()).rejects.toThrow('Could not read /nowhere/htpasswd: ENOENT')
  })
})

describe('a slow hash', () => {
  const COST = 10

  test('is computed once for a client that comes again and again, and beside everything else', async () => {
    await using it = create({ inline: `a:${hashSync('right', COST)}` })
    const attempt = () => verdict(it.server, basicHeader('a', 'right'))
    expect(await Promise.all(Array.from({ length: 200 }, attempt))).toEqual(Array.from({ length: 200 }, () => 'in'))
    const begun = performance.now()
    for (let i = 0; i < 1000; i++) expect(await attempt()).toBe('in')
    // Each check of cost 10 takes tens of milliseconds.
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(await verdict(it.server, basicHeader('a', 'wrong'))).toBe(INVALID)
  })

  test('asks senders to come again when too many others are waiting', async () => {
    await using it = create({ inline: `a:${hashSync('right', COST)}` })
    const flood = Array.from({ length: 70 }, (_, i) => verdict(it.server, basicHeader('a', `wrong ${i}`)))
    const told = new Set(await Promise.all(flood.slice(64)))
    expect([...told]).toEqual([`${Code.UNAVAILABLE} Too many passwords are being checked, 64 at once are allowed`])
    await it.server.shutdown()
    await Promise.all(flood)
    expect(await verdict(it.server, basicHeader('a', 'right'))).toBe(
      `${Code.UNAVAILABLE} Could not check the password: the collector is stopping`,
    )
  })

  test('is computed for a user that does not exist as well, so that time does not tell', async () => {
    await using it = create({ inline: `a:${hashSync('right', COST)}` })
    expect(await verdict(it.server, basicHeader('a', 'wrong'))).toBe(INVALID)
    const begun = performance.now()
    expect(await verdict(it.server, basicHeader('nobody', 'wrong too'))).toBe(INVALID)
    expect(performance.now() - begun).toBeGreaterThan(10)
  })
})
