/** The three ways in, as the authentication matrix tries them. */
import { rename, writeFile } from 'node:fs/promises'
import { hashSync } from 'bcryptjs'
import { type TempDir, tempDir } from '#core/testing'
import { signingKey, testIssuer } from '../../extensions/oidc/issuer.test-support.ts'

/** One way in, ready to be tried. */
export interface Scheme extends AsyncDisposable {
  /** The authenticator of the server: its id and its options. */
  readonly id: string
  readonly options: object
  /** What a sender without credentials is asked for. */
  readonly challenge: string
  /** The value of `authorization` that is let in. */
  right(): Promise<string>
  /** Values that are refused, and what the sender is told. */
  readonly wrong: readonly (readonly [what: string, value: () => Promise<string>, told: string])[]
  /** Changes what is let in; the server may need `patience` milliseconds of its monotonic clock to notice. */
  rotate(): Promise<void>
  readonly patience: number
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Puts a file where another is, as everybody should. */
export async function replace(dir: TempDir, name: string, text: string): Promise<void> {
  await writeFile(dir.file('new'), text)
  await rename(dir.file('new'), dir.file(name))
}

async function basicScheme(): Promise<Scheme> {
  const dir = await tempDir()
  let password = 'first password'
  const publish = () => replace(dir, 'htpasswd', `agent:${hashSync(password, 4)}\n`)
  await publish()
  return {
    id: 'basicauth',
    challenge: 'Basic realm="collector", charset="UTF-8"',
    options: { htpasswd: { file: dir.file('htpasswd') } },
    right: async () => basic('agent', password),
    wrong: [
      ['wrong password', async () => basic('agent', 'guessed'), 'invalid credentials'],
      ['unknown user', async () => basic('nobody', password), 'invalid credentials'],
      ['another scheme', async () => 'Bearer x', 'invalid authorization scheme prefix'],
    ],
    rotate: async () => {
      password = 'second password'
      await publish()
    },
    patience: 0,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

async function bearerScheme(): Promise<Scheme> {
  const dir = await tempDir()
  let token = 'first-token'
  await replace(dir, 'token', token)
  return {
    id: 'bearertokenauth',
    challenge: 'Bearer',
    options: { filename: dir.file('token') },
    right: async () => `Bearer ${token}`,
    wrong: [
      ['wrong token', async () => 'Bearer guessed', 'scheme or token does not match'],
      ['another scheme', async () => `Basic ${token}`, 'scheme or token does not match'],
    ],
    rotate: async () => {
      token = 'second-token'
      await replace(dir, 'token', token)
    },
    patience: 0,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

async function oidcScheme(): Promise<Scheme> {
  const issuer = await testIssuer()
  const bearer = async (token: Promise<string>) => `Bearer ${await token}`
  return {
    id: 'oidc',
    challenge: 'Bearer',
    options: { providers: [{ issuer_url: issuer.url, audience: 'collector' }] },
    right: () => bearer(issuer.token()),
    wrong: [
      ['expired token', () => bearer(issuer.token({ exp: 1 })), 'failed to verify token: '],
      ['another audience', () => bearer(issuer.token({ aud: 'x' })), 'failed to verify token: '],
      [
        'forged token',
        async () => bearer(issuer.token({}, { key: await signingKey('first') })),
        'failed to verify token: ',
      ],
      ['no token', async () => 'Bearer x', 'failed to verify token: '],
    ],
    rotate: async () => {
      issuer.keys = [await signingKey('second')]
    },
    patience: 600_000,
    [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose](),
  }
}

export const SCHEMES = [
  ['basic', basicScheme],
  ['bearer', bearerScheme],
  ['oidc', oidcScheme],
] as const
