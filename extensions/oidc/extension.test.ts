import { createHmac } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { Code, type Refusal } from '#core/component'
import { configure, tempDir, testContext, until } from '#core/testing'
import { authority, certificate } from '../../core/net/certificates.test-support.ts'
import { oidcConfig } from './config.ts'
import { OidcExtension } from './extension.ts'
import { type SigningKey, signingKey, testIssuer } from './issuer.test-support.ts'

async function started(written: object) {
  const context = testContext({ id: 'oidc', kind: 'extension' })
  const extension = new OidcExtension(configure(oidcConfig, written), context)
  await extension.start()
  return { extension, context, now: () => context.clock.now(), [Symbol.asyncDispose]: () => extension.shutdown() }
}

function authenticate(extension: OidcExtension, header: string | undefined, name = 'authorization') {
  return extension.authenticate(new Map(header === undefined ? [] : [[name, [header]]]))
}

/** `in`, or the gRPC code and the sentence that the sender is told. */
function verdict(extension: OidcExtension, header: string | undefined, name?: string): Promise<string> {
  return authenticate(extension, header, name).then(
    () => 'in',
    (error: Refusal) => `${error.code} ${error.message}`,
  )
}

const NO = `${Code.UNAUTHENTICATED} failed to verify token:`

describe('a token', () => {
  test.each([
    ['of the issuer', {}, 'in'],
    ['for several audiences', { aud: ['other', 'collector'] }, 'in'],
    ['that has expired', { exp: 1 }, `${NO} "exp" claim timestamp check failed`],
    ['without end', { exp: undefined }, `${NO} missing required "exp" claim`],
    ['for another audience', { aud: 'other' }, `${NO} unexpected "aud" claim value`],
    ['without audience', { aud: undefined }, `${NO} missing required "aud" claim`],
    ['of another issuer', { iss: 'https://evil.example' }, `${NO} unexpected "iss" claim value`],
  ])('%s', async (_, claims, expected) => {
    await using issuer = await testIssuer()
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    const token = await issuer.token(claims as JWTPayload, { now: it.now() })
    expect(await verdict(it.extension, `Bearer ${token}`)).toBe(expected)
  })

  test('ends to the second, and may begin within five minutes: clocks differ', async () => {
    await using issuer = await testIssuer()
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    const seconds = it.now() / 1000
    const judged = async (claims: JWTPayload) => verdict(it.extension, `Bearer ${await issuer.token(claims)}`)
    expect(await judged({ exp: seconds + 1 })).toBe('in')
    expect(await judged({ exp: seconds })).toBe(`${NO} "exp" claim timestamp check failed`)
    expect(await judged({ exp: seconds + 900, nbf: seconds + 299 })).toBe('in')
    expect(await judged({ exp: seconds + 900, nbf: seconds + 301 })).toBe(`${NO} "nbf" claim timestamp check failed`)
  })

  test.each(['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'])('signed by %s', async alg => {
    await using issuer = await testIssuer()
    issuer.keys = [await signingKey('only', alg)]
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    expect(await verdict(it.extension, `Bearer ${await issuer.token({}, { now: it.now() })}`)).toBe('in')
  })

  test('signed by another key, by nobody, or with the public key as a secret is refused', async () => {
    await using issuer = await testIssuer()
    issuer.keys = [await signingKey('first', 'RS256')]
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    const right = await issuer.token({}, { now: it.now() })
    const [, payload] = right.split('.') as [string, string]
    const forged = await issuer.token({}, { now: it.now(), key: await signingKey('first', 'RS256') })
    expect(await verdict(it.extension, `Bearer ${forged}`)).toBe(`${NO} signature verification failed`)
    const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = `${base64({ alg: 'none' })}.${payload}.`
    expect(await verdict(it.extension, `Bearer ${none}`)).toMatch(NO)
    const head = `${base64({ alg: 'HS256', kid: 'first' })}.${payload}`
    const mac = createHmac('sha256', JSON.stringify(issuer.keys[0]!.jwk)).update(head).digest('base64url')
    expect(await verdict(it.extension, `Bearer ${head}.${mac}`)).toMatch(NO)
    expect(await verdict(it.extension, `Bearer ${right}`)).toBe('in')
  })

  test('that does not name its key may be signed with any', async () => {
    await using issuer = await testIssuer()
    issuer.keys = [await signingKey('one'), await signingKey('two')]
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    const exp = it.now() / 1000 + 60
    const nameless = (secret: SigningKey['secret']) =>
      new SignJWT({ iss: issuer.url, aud: 'collector', exp }).setProtectedHeader({ alg: 'ES256' }).sign(secret)
    for (const { secret } of issuer.keys) {
      expect(await verdict(it.extension, `Bearer ${await nameless(secret)}`)).toBe('in')
    }
    const { privateKey } = await generateKeyPair('ES256')
    expect(await verdict(it.extension, `Bearer ${await nameless(privateKey)}`)).toBe(
      `${NO} signature verification failed`,
    )
  })

  test.each([
    [undefined, "16 authentication didn't succeed"],
    ['', "16 authentication didn't succeed"],
    ['token', '16 invalid authorization header format'],
    ['Bearer a b', '16 invalid authorization header format'],
    ['Bearer nonsense', `${NO} Invalid Compact JWS`],
  ])('is wanted, not %j', async (header, expected) => {
    await using issuer = await testIssuer()
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    expect(await verdict(it.extension, header)).toBe(expected)
  })

  test('may come in another header, and for any audience and issuer when told to', async () => {
    await using issuer = await testIssuer()
    const provider = { issuer_url: issuer.url, ignore_audience: true, ignore_issuer: true }
    await using it = await started({ attribute: 'X-Token', providers: [provider] })
    const token = await issuer.token({ aud: 'other', iss: 'https://old.example' }, { now: it.now() })
    expect(await verdict(it.extension, `Bearer ${token}`, 'x-token')).toBe('in')
    expect(await verdict(it.extension, `Bearer ${token}`)).toBe("16 authentication didn't succeed")
  })
})

describe('claims', () => {
  const CLAIMS = { email: 'ann@example', groups: ['dev', 'ops'], team: { name: 'red', size: 4 }, 'a.b': 'dotted' }

  test('are what pipelines read', async () => {
    await using issuer = await testIssuer()
    const provider = { issuer_url: issuer.url, audience: 'collector', username_claim: 'email', groups_claim: 'groups' }
    await using it = await started({ providers: [provider] })
    const token = await issuer.token(CLAIMS, { now: it.now() })
    const auth = await authenticate(it.extension, `Bearer ${token}`)
    const read = (name: string) => auth.attribute(name)
    expect([read('subject'), read('membership'), read('raw')]).toEqual(['ann@example', ['dev', 'ops'], token])
    expect([read('sub'), read('claims.sub'), read('claims.email')]).toEqual(['agent-7', 'agent-7', 'ann@example'])
    expect([read('claims.team.name'), read('team.size'), read('claims.a.b')]).toEqual(['red', 4, 'dotted'])
    expect([read('claims.nothing'), read('claims.team.name.x'), read('constructor')]).toEqual(Array(3).fill(undefined))
    expect(auth.names).toEqual(expect.arrayContaining(['subject', 'membership', 'raw', 'email', 'aud']))
  })

  test.each([
    [
      { username_claim: 'email' },
      {},
      'username claim from the OIDC configuration not found on the token returned by the OIDC provider',
    ],
    [{ username_claim: 'email' }, { email: 7 }, 'the username returned by the OIDC provider is not a regular string'],
    [
      { groups_claim: 'groups' },
      {},
      'groups claim from the OIDC configuration not found on the token returned by the OIDC provider',
    ],
  ])('%j in %j: %s', async (options, claims, expected) => {
    await using issuer = await testIssuer()
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector', ...options }] })
    const token = await issuer.token(claims, { now: it.now() })
    expect(await verdict(it.extension, `Bearer ${token}`)).toBe(`${NO} ${expected}`)
  })

  test('subject and groups are optional; one group may be a text', async () => {
    await using issuer = await testIssuer()
    await using it = await started({
      providers: [{ issuer_url: issuer.url, audience: 'collector', groups_claim: 'groups' }],
    })
    const token = await issuer.token({ sub: undefined as never, groups: 'dev' }, { now: it.now() })
    const auth = await authenticate(it.extension, `Bearer ${token}`)
    expect([auth.attribute('subject'), auth.attribute('membership')]).toEqual(['', ['dev']])
  })
})

describe('keys', () => {
  const rotating = async () => {
    const issuer = await testIssuer()
    const it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })
    return {
      issuer,
      ...it,
      judged: async (key = issuer.keys.at(-1)!) =>
        verdict(it.extension, `Bearer ${await issuer.token({}, { now: it.now(), key })}`),
      fetches: () => issuer.asked.filter(path => path === '/keys').length,
      [Symbol.asyncDispose]: async () => {
        await it.extension.shutdown()
        await issuer[Symbol.asyncDispose]()
      },
    }
  }

  test('are asked for again when a token names a new one, not more often than every ten seconds', async () => {
    await using it = await rotating()
    expect(it.issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    it.issuer.keys = [...it.issuer.keys, await signingKey('second')]
    expect(await it.judged()).toBe(`${NO} no applicable key found in the JSON Web Key Set`)
    await it.context.fakeClock.advance(10_000)
    expect(await Promise.all([it.judged(), it.judged(), it.judged()])).toEqual(['in', 'in', 'in'])
    expect(it.fetches()).toBe(2)
    const invented = await signingKey('invented')
    for (let i = 0; i < 20; i++) expect(await it.judged(invented)).toMatch(NO)
    expect(it.fetches()).toBe(2)
  })

  test('that were taken back count no more after ten minutes', async () => {
    await using it = await rotating()
    const old = it.issuer.keys[0]!
    it.issuer.keys = [await signingKey('second')]
    expect(await it.judged(old)).toBe('in')
    await it.context.fakeClock.advance(600_000)
    expect(await it.judged(old)).toBe('in')
    await until(() => it.context.logger.messages('debug').includes('Keys of the issuer fetched'))
    expect(await it.judged(old)).toMatch(NO)
    expect(await it.judged()).toBe('in')
  })

  test('count on while the issuer is away; for others senders are asked to come again', async () => {
    await using it = await rotating()
    it.issuer.status = 500
    await it.context.fakeClock.advance(600_000)
    expect(await it.judged()).toBe('in')
    await until(() => it.context.logger.messages('warn').length === 1)
    await it.context.fakeClock.advance(10_000)
    const second = await signingKey('second')
    expect(await it.judged(second)).toBe(`${Code.UNAVAILABLE} Could not get the keys of the issuer`)
    expect(await it.judged()).toBe('in')
  })

  test('come from a file that is followed, and nobody is asked', async () => {
    await using dir = await tempDir()
    await using issuer = await testIssuer()
    const public_keys_file = dir.file('keys.json')
    const publish = async () => {
      await writeFile(dir.file('new'), JSON.stringify({ keys: issuer.keys.map(({ jwk }) => jwk) }))
      await rename(dir.file('new'), public_keys_file)
    }
    await publish()
    await using it = await started({ providers: [{ issuer_url: issuer.url, audience: 'collector', public_keys_file }] })
    const judged = async () => verdict(it.extension, `Bearer ${await issuer.token({}, { now: it.now() })}`)
    expect(await judged()).toBe('in')
    issuer.keys = [await signingKey('second')]
    expect(await judged()).toMatch(NO)
    await publish()
    await it.context.fakeClock.advance(1000)
    await until(() => it.context.logger.messages('info').includes('File reloaded'))
    expect(await judged()).toBe('in')
    expect(issuer.asked).toEqual([])
  })
})

describe('providers', () => {
  test('are told apart by the issuer of the token', async () => {
    await using one = await testIssuer()
    await using two = await testIssuer()
    await using stranger = await testIssuer()
    await using it = await started({
      providers: [
        { issuer_url: one.url, audience: 'collector' },
        { issuer_url: two.url, audience: 'collector' },
      ],
    })
    const judged = async (token: Promise<string>) => verdict(it.extension, `Bearer ${await token}`)
    const now = it.now()
    expect(await judged(one.token({}, { now }))).toBe('in')
    expect(await judged(two.token({}, { now }))).toBe('in')
    expect(await judged(one.token({ iss: two.url }, { now }))).toBe(`${NO} signature verification failed`)
    expect(await judged(stranger.token({}, { now }))).toBe('16 no OIDC provider configured for the issuer of the token')
    expect(stranger.asked).toEqual([])
    expect(await verdict(it.extension, 'Bearer a.b.c')).toBe('16 failed to parse the token')
  })

  test('over TLS are trusted by their authority', async () => {
    await using issuer = await testIssuer(certificate('server'))
    const provider = { issuer_url: issuer.url, audience: 'collector' }
    await using it = await started({ providers: [{ ...provider, issuer_ca_path: authority('ca') }] })
    expect(await verdict(it.extension, `Bearer ${await issuer.token({}, { now: it.now() })}`)).toBe('in')
    await expect(started({ providers: [provider] })).rejects.toThrow(
      `failed to get configuration from at least one configured auth server: failed to create OIDC provider for "${issuer.url}"`,
    )
  })

  test.each([
    ['of another issuer', { issuer: 'https://evil.example' }, 'issuer did not match the issuer returned by provider'],
    ['without keys', { jwks_uri: undefined }, 'the jwks_uri of the provider is not a URL that is as safe as its own'],
    ['with keys in a file', { jwks_uri: 'file:///etc/passwd' }, 'the jwks_uri of the provider is not a URL'],
    ['whose keys are not there', { jwks_uri: 'KEYS/nowhere' }, '/nowhere answered with status 404'],
  ])('whose document is %s are refused', async (_, discovery, expected) => {
    await using issuer = await testIssuer()
    issuer.discovery = JSON.parse(JSON.stringify(discovery).replace('KEYS', issuer.url))
    if ('jwks_uri' in discovery && discovery.jwks_uri === undefined) issuer.discovery = { jwks_uri: null }
    await expect(started({ providers: [{ issuer_url: issuer.url, audience: 'collector' }] })).rejects.toThrow(expected)
  })

  test('over TLS may not lead to keys without', async () => {
    await using issuer = await testIssuer(certificate('server'))
    issuer.discovery = { jwks_uri: issuer.url.replace('https', 'http') }
    const provider = { issuer_url: issuer.url, audience: 'collector', issuer_ca_path: authority('ca') }
    await expect(started({ providers: [provider] })).rejects.toThrow('not a URL that is as safe as its own')
  })

  test('written without a list are taken', async () => {
    await using issuer = await testIssuer()
    await using it = await started({ issuer_url: issuer.url, audience: 'collector' })
    expect(await verdict(it.extension, `Bearer ${await issuer.token({}, { now: it.now() })}`)).toBe('in')
  })

  test.each([
    ['nothing', undefined, 'ENOENT'],
    ['no JSON', 'secret', 'it is not JSON'],
    ['no keys', '{"keys":[{"kty":"oct","k":"secret"}]}', 'it contains no supported keys'],
  ])('whose key file has %s are refused', async (_, text, expected) => {
    await using dir = await tempDir()
    const public_keys_file = dir.file('keys.json')
    if (text !== undefined) await writeFile(public_keys_file, text)
    const provider = { issuer_url: 'https://a.example', audience: 'x', public_keys_file }
    const refused = started({ providers: [provider] })
    await expect(refused).rejects.toThrow(expected)
    await expect(refused).rejects.not.toThrow('secret')
  })
})
