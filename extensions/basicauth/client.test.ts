import { rename, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configure, type TestContext, tempDir, testContext, until } from '#core/testing'
import { BasicAuthClient } from './client.ts'
import { basicAuthConfig } from './config.ts'
import { basicHeader } from './credentials.ts'

function create(client_auth: object) {
  const context = testContext({ id: 'basicauth', kind: 'extension' })
  return { client: new BasicAuthClient(configure(basicAuthConfig, { client_auth }).client_auth!, context), context }
}

async function look({ fakeClock }: TestContext, files: number): Promise<void> {
  await fakeClock.advance(1000)
  await until(() => fakeClock.pending === files, { what: 'the next looks to be planned' })
}

test('a client comes with user name and password', async () => {
  const { client } = create({ username: 'agent', password: 'pä:ss' })
  await client.start()
  expect(await client.headers()).toEqual({ authorization: `Basic ${Buffer.from('agent:pä:ss').toString('base64')}` })
})

test('files win and are followed', async () => {
  await using dir = await tempDir()
  await writeFile(dir.file('user'), 'one\n')
  await writeFile(dir.file('password'), 'first\n')
  const files = { username_file: dir.file('user'), password_file: dir.file('password') }
  const { client, context } = create({ username: 'ignored', password: 'ignored', ...files })
  await client.start()
  expect(await client.headers()).toEqual({ authorization: basicHeader('one', 'first') })
  await writeFile(dir.file('new'), 'second')
  await rename(dir.file('new'), dir.file('password'))
  await look(context, 2)
  expect(await client.headers()).toEqual({ authorization: basicHeader('one', 'second') })
  await writeFile(dir.file('user'), 'a:b')
  await writeFile(dir.file('password'), '')
  await look(context, 2)
  expect(await client.headers()).toEqual({ authorization: basicHeader('one', 'second') })
  expect(context.logger.messages('warn')).toHaveLength(2)
  await client.shutdown()
  expect(context.fakeClock.pending).toBe(0)
})

test('a file that is not there keeps the extension from starting, and nothing stays behind', async () => {
  await using dir = await tempDir()
  await writeFile(dir.file('user'), 'one')
  const { client, context } = create({ username_file: dir.file('user'), password_file: '/nowhere/password' })
  await expect(client.start()).rejects.toThrow('Could not read /nowhere/password: ENOENT')
  expect(context.fakeClock.pending).toBe(0)
})
