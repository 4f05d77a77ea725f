import { copyFile, readFile, writeFile } from 'node:fs/promises'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import * as tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { configure, FakeClock, RecordingLogger, tempDir, until } from '#core/testing'
import { authority, type Certificate, certificate, install } from './certificates.test-support.ts'
import { type ClientTls, loadClientTls, loadServerTls } from './tls.ts'
import { checkClientTls, checkServerTls, clientTls, serverTls } from './tls-options.ts'

function deps() {
  return { clock: new FakeClock(), logger: new RecordingLogger() }
}

/** A server that answers each connection with the name on its certificate request. */
async function serve(written: object, given = deps()) {
  const server = await loadServerTls(configure(serverTls, written), given)
  const listening = https.createServer(server.options, (_request, response) => response.end())
  server.onReload(options => listening.setSecureContext(options))
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  return {
    port: (listening.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close()
      listening.closeAllConnections()
      await new Promise(resolve => listening.close(resolve))
    },
  }
}

/** The name of the certificate a client saw, or why it did not connect. */
async function visit(port: number, written: object, host = 'localhost'): Promise<string> {
  return visitAs(await loadClientTls(configure(clientTls, written), deps()), port, host)
}

function visitAs(client: ClientTls, port: number, host = 'localhost'): Promise<string> {
  return new Promise(resolve => {
    const socket = tls.connect({ port, host: '127.0.0.1', ...client.connectOptions(host) })
    socket.on('error', error => resolve((error as NodeJS.ErrnoException).code ?? error.message))
    socket.on('close', () => resolve('closed'))
    socket.on('secureConnect', () => {
      const { CN } = socket.getPeerCertificate().subject
      // In TLS 1.3 a server refuses a client's certificate only after this.
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
      socket.once('data', () => {
        resolve(String(CN))
        socket.destroy()
      })
    })
  })
}

const CA = { ca_file: authority('ca') }

describe('a client', () => {
  const servers: [string, Certificate, object, string][] = [
    ['trusts its authority', 'server', CA, 'server'],
    ['does not trust another authority', 'foreign', CA, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['does not trust the system for a private authority', 'server', {}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['refuses an expired certificate', 'expired', CA, 'CERT_HAS_EXPIRED'],
    ['refuses a certificate for another name', 'elsewhere', CA, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['expects the overriding name', 'elsewhere', { ...CA, server_name_override: 'elsewhere.example' }, 'elsewhere'],
    ['expects an overriding address', 'server', { ...CA, server_name_override: '127.0.0.1' }, 'server'],
    ['takes anything when told not to verify', 'foreign', { insecure_skip_verify: true }, 'foreign'],
    ['speaks TLS when insecure but given an authority', 'server', { ...CA, insecure: true }, 'server'],
  ]
  test.each(servers)('%s', async (_, name, written, seen) => {
    await using server = await serve(certificate(name))
    expect(await visit(server.port, written)).toBe(seen)
  })

  test('takes its authority from the configuration and adds the system', async () => {
    await using server = await serve(certificate('server'))
    const ca_pem = await readFile(authority('ca'), 'utf8')
    expect(await visit(server.port, { ca_pem, include_system_ca_certs_pool: true })).toBe('server')
  })

  test('wants plaintext only when insecure without an authority', async () => {
    const plain = await loadClientTls(configure(clientTls, { insecure: true }), deps())
    expect(plain.plaintext).toBe(true)
  })
})

describe('a server with client_ca_file', () => {
  const written = { ...certificate('server'), client_ca_file: authority('ca') }

  test('lets clients of that authority in', async () => {
    await using server = await serve(written)
    expect(await visit(server.port, { ...CA, ...certificate('client') })).toBe('server')
  })

  test.each([
    ['nameless clients', {}],
    ['clients of another authority', certificate('foreign-client')],
  ])('refuses %s', async (_, own) => {
    await using server = await serve(written)
    expect(await visit(server.port, { ...CA, ...own })).toMatch(/ERR_SSL|ECONNRESET|closed/)
  })

  test('follows changes of the file when told to', async () => {
    await using directory = await tempDir()
    const client_ca_file = directory.file('clients.pem')
    await copyFile(authority('other-ca'), client_ca_file)
    const given = deps()
    await using server = await serve({ ...certificate('server'), client_ca_file, client_ca_file_reload: true }, given)
    expect(await visit(server.port, { ...CA, ...certificate('client') })).not.toBe('server')
    await copyFile(authority('ca'), client_ca_file)
    await reloaded(given)
    expect(await visit(server.port, { ...CA, ...certificate('client') })).toBe('server')
  })
})

describe('versions, suites and curves', () => {
  test.each([
    ['a newer server', { min_version: '1.3' }, { max_version: '1.2' }, /ERR_SSL/],
    ['an older server', { max_version: '1.2' }, { min_version: '1.3' }, /ERR_SSL/],
    ['a common version', { min_version: '1.2' }, { max_version: '1.2' }, /^server$/],
    [
      'a common suite',
      { max_version: '1.2', cipher_suites: ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'] },
      { cipher_suites: ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'] },
      /^server$/,
    ],
    [
      'no common suite',
      { max_version: '1.2', cipher_suites: ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'] },
      { cipher_suites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] },
      /ERR_SSL/,
    ],
    ['a common curve', { curve_preferences: ['P384'] }, { curve_preferences: ['X25519', 'P384'] }, /^server$/],
    ['no common curve', { curve_preferences: ['P384'] }, { curve_preferences: ['P521'] }, /ERR_SSL/],
  ])('%s', async (_, onServer, onClient, seen) => {
    await using server = await serve({ ...certificate('server'), ...onServer })
    expect(await visit(server.port, { ...CA, ...onClient })).toMatch(seen)
  })
})

/** Lets the next look at the files happen and finish. */
async function reloaded({ clock, logger }: ReturnType<typeof deps>): Promise<void> {
  const before = logger.lines.length
  await clock.advance(1000)
  await until(() => logger.lines.length > before, { what: 'a line about reloading' })
}

describe('a renewed certificate', () => {
  test('is served after reload_interval; a broken one is told and not used', async () => {
    await using directory = await tempDir()
    const files = await install('server', directory.path)
    const given = deps()
    await using server = await serve({ ...files, reload_interval: '1s' }, given)
    expect(await visit(server.port, CA)).toBe('server')
    await writeFile(files.cert_file, 'half a file')
    await reloaded(given)
    expect(given.logger.messages('warn')).toEqual(['Could not reload TLS certificates, keeping the former ones'])
    expect(await visit(server.port, CA)).toBe('server')
    await install('renewed', directory.path)
    await reloaded(given)
    expect(await visit(server.port, CA)).toBe('renewed')
  })
})

test('a client presents its renewed certificate after reload_interval', async () => {
  await using directory = await tempDir()
  await using server = await serve({ ...certificate('server'), client_ca_file: authority('ca') })
  const files = await install('foreign-client', directory.path)
  const given = deps()
  const client = await loadClientTls(configure(clientTls, { ...CA, ...files, reload_interval: '1s' }), given)
  expect(await visitAs(client, server.port)).not.toBe('server')
  await install('client', directory.path)
  await reloaded(given)
  expect(await visitAs(client, server.port)).toBe('server')
  client.close()
  expect(given.clock.pending).toBe(0)
})

describe('what is wrong is said', () => {
  const cert = { cert_file: 'c', key_file: 'k' }
  test.each([
    [{}, ['TLS configuration must include both certificate and key for server connections']],
    [{ cert_file: 'c' }, ['TLS configuration must include both certificate and key for server connections']],
    [{ ...cert, ca_file: 'a', ca_pem: 'b' }, ['provide either a CA file or the PEM-encoded string, but not both']],
    [{ ...cert, min_version: '0.1' }, ['invalid TLS min_version: unsupported TLS version: "0.1"']],
    [{ ...cert, max_version: '2' }, ['invalid TLS max_version: unsupported TLS version: "2"']],
    [
      { ...cert, min_version: '1.3', max_version: '1.2' },
      ['invalid TLS configuration: min_version cannot be greater than max_version'],
    ],
    [{ ...cert, cipher_suites: ['NONE'] }, ['invalid TLS cipher suite: "NONE"']],
    [
      { ...cert, cipher_suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'] },
      ['invalid TLS cipher suite: "TLS_RSA_WITH_AES_128_CBC_SHA"'],
    ],
    [{ ...cert, cipher_suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'], include_insecure_cipher_suites: true }, []],
    [{ ...cert, curve_preferences: ['P1'] }, ['invalid curve type "P1"']],
    [{ ...cert, tpm: { enabled: true } }, ['tpm: private keys in a Trusted Platform Module are not supported']],
    [{ cert_pem: 'c', key_pem: 'k' }, []],
  ])('%j on a server', (written, faults) => {
    expect([...checkServerTls(configure(serverTls, written))]).toEqual(faults)
  })

  test('a client needs certificate and key or neither', () => {
    expect([...checkClientTls(configure(clientTls, { cert_file: 'c' }))]).toEqual([
      'for auth via TLS, provide both certificate and key, or neither',
    ])
    expect([...checkClientTls(configure(clientTls, {}))]).toEqual([])
  })

  test('files that cannot be read or used are named', async () => {
    const load = (written: object) => loadClientTls(configure(clientTls, written), deps())
    await expect(load({ ca_file: '/nowhere.pem' })).rejects.toThrow(
      'failed to load TLS config: failed to load CA CertPool File: failed to load cert /nowhere.pem: ENOENT',
    )
    await expect(load({ ca_pem: 'nonsense' })).rejects.toThrow('failed to load TLS config: failed to parse CA')
    const mixed = { cert_file: certificate('client').cert_file, key_file: certificate('server').key_file }
    await expect(load(mixed)).rejects.toThrow(/failed to load TLS config: .*key values mismatch/)
  })
})
