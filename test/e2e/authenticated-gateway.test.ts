import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { tempDir, until } from '#core/testing'
import { authority, certificate } from '../../core/net/certificates.test-support.ts'
import { runCollector } from './collector.ts'
import { ask, PROTOCOLS, send } from './sender.ts'

const EXAMPLE = readFileSync(join(import.meta.dirname, '../../config/authenticated-gateway.yaml'), 'utf8')

/** A backend that remembers headers. */
async function backend() {
  const seen: http.IncomingHttpHeaders[] = []
  const { cert_file, key_file } = certificate('server')
  const server = https.createServer(
    { cert: readFileSync(cert_file), key: readFileSync(key_file) },
    (request, response) => {
      seen.push(request.headers)
      request.resume().on('end', () => response.end())
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    address: `localhost:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

test('the example of an authenticated gateway does what it says', async () => {
  await using dir = await tempDir()
  await using target = await backend()
  await writeFile(dir.file('tokens'), 'old-agent-token\nagent-token\n')
  await writeFile(dir.file('htpasswd'), `operator:${hashSync('open sesame', 4)}\n`)
  const { cert_file, key_file } = certificate('server')
  const example = EXAMPLE.replaceAll(/endpoint: 0\.0\.0\.0:\d+/g, 'endpoint: 127.0.0.1:0')
  await using gateway = await runCollector(parseYaml(example) as object, {
    env: {
      ...{ TLS_CERT: cert_file, TLS_KEY: key_file, AGENT_TOKENS: dir.file('tokens'), HTPASSWD: dir.file('htpasswd') },
      ...{ BACKEND: target.address, BACKEND_CA: authority('ca'), BACKEND_TOKEN: 'gateway-token' },
    },
  })
  const tls = { ca_file: authority('ca') }
  const local = (address: string) => address.replace('127.0.0.1', 'localhost')
  const tenants = ['red', 'blue']
  for (const [i, protocol] of PROTOCOLS.entries()) {
    const address = local(gateway[protocol])
    const headers = { authorization: 'Bearer agent-token', 'x-tenant': tenants[i]! }
    expect((await send(protocol, address, { tls, headers })).status).toBe([0, 200][i])
    expect((await send(protocol, address, { tls })).status).toBe([16, 401][i])
    expect((await send(protocol, gateway[protocol])).status).toBe([14, -1][i])
  }
  await until(() => target.seen.length === 2)
  expect(new Set(target.seen.map(headers => headers['x-scope-orgid']))).toEqual(new Set(tenants))
  expect(target.seen.map(({ authorization }) => authorization)).toEqual([
    'Bearer gateway-token',
    'Bearer gateway-token',
  ])

  const page = `https://${local(gateway.listens('api'))}/api/v1/components`
  const authorization = `Basic ${btoa('operator:open sesame')}`
  expect((await ask(page, { tls, headers: { authorization } })).status).toBe(200)
  expect((await ask(page, { tls })).status).toBe(401)
  expect((await ask(`http://${gateway.listens('health_check')}/`)).status).toBe(200)
})
