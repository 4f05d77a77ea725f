import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { FakeClock, tempDir } from '#core/testing'
import { InvalidEndpoint, parseListenAddress } from './listen-address.ts'
import { grpcPeer, rawPeer, testServer } from './testdata/harness.ts'

describe('an endpoint', () => {
  test.each<[string, string, object]>([
    ['localhost:4317', 'tcp', { host: 'localhost', port: 4317 }],
    ['127.0.0.1:0', 'tcp', { host: '127.0.0.1', port: 0 }],
    ['[::1]:4317', 'tcp', { host: '::1', port: 4317 }],
    [':4317', 'tcp', { host: undefined, port: 4317 }],
    [':4317', 'tcp4', { host: '0.0.0.0', port: 4317 }],
    [':4317', 'tcp6', { host: '::', port: 4317, ipv6Only: true }],
    ['unix:///run/otlp.sock', 'tcp', { path: '/run/otlp.sock' }],
    ['unix:/run/otlp.sock', 'tcp', { path: '/run/otlp.sock' }],
    ['/run/otlp.sock', 'unix', { path: '/run/otlp.sock' }],
    ['\\\\.\\pipe\\otlp', 'npipe', { path: '\\\\.\\pipe\\otlp' }],
  ])('%j over %s is understood', (endpoint, transport, address) => {
    expect(parseListenAddress(endpoint, transport)).toEqual(address)
  })

  test.each<[string, string, string]>([
    ['localhost', 'tcp', 'endpoint "localhost" is not host:port: missing port in address'],
    ['', 'tcp', 'endpoint "" is not host:port: missing port in address'],
    ['::1:4317', 'tcp', 'endpoint "::1:4317" is not host:port: too many colons in address'],
    ['localhost:', 'tcp', 'invalid port ""'],
    ['localhost:http', 'tcp', 'invalid port "http"'],
    ['localhost:65536', 'tcp', 'invalid port "65536"'],
    ['localhost:-1', 'tcp', 'invalid port "-1"'],
    ['localhost:1e3', 'tcp', 'invalid port "1e3"'],
    ['unix://', 'tcp', 'endpoint "unix://" names no path'],
    ['localhost:1', 'udp', 'transport "udp" cannot be listened on, only tcp, tcp4, tcp6, unix, npipe'],
  ])('%j over %s is refused', (endpoint, transport, text) => {
    expect(() => parseListenAddress(endpoint, transport)).toThrow(new InvalidEndpoint(text))
  })
})

describe('listening', () => {
  test('localhost is 127.0.0.1, as in the Collector', async () => {
    await using server = await testServer({ endpoint: 'localhost:0' })
    expect(server.address).toBe(`127.0.0.1:${server.port}`)
  })

  test('an address in use is named', async () => {
    await using server = await testServer()
    await expect(testServer({ endpoint: server.address })).rejects.toThrow(
      `listen tcp ${server.address}: bind: address already in use`,
    )
  })

  test('an address that is not ours is named', async () => {
    await expect(testServer({ endpoint: '192.0.2.1:4317' })).rejects.toThrow(
      'listen tcp 192.0.2.1:4317: bind: cannot assign requested address',
    )
    await expect(testServer({ endpoint: 'no-such-host.invalid:4317' })).rejects.toThrow(
      'listen tcp no-such-host.invalid:4317: no such host',
    )
  })

  test('a unix socket serves both protocols and is gone afterwards', async () => {
    await using dir = await tempDir()
    const path = dir.file('otlp.sock')
    const server = await testServer({ endpoint: `unix://${path}` })
    expect([server.address, server.port]).toEqual([path, 0])
    const status = await new Promise(resolve =>
      request({ socketPath: path, method: 'POST' }, answer => resolve(answer.statusCode)).end('x'),
    )
    expect(status).toBe(200)
    expect(server.seen[0]!.context.clientAddress).toBeUndefined()
    await server.close(0)
    expect(existsSync(path)).toBe(false)
  })

  test('a socket file that nobody listens on is replaced, one in use is not', async () => {
    await using dir = await tempDir()
    const path = dir.file('otlp.sock')
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script])
    expect(existsSync(path)).toBe(true)
    await using server = await testServer({ endpoint: path, transport: 'unix' })
    expect(server.address).toBe(path)
    const failure = `listen unix ${path}: bind: address already in use`
    await expect(testServer({ endpoint: path, transport: 'unix' })).rejects.toThrow(failure)
    await writeFile(dir.file('text'), 'mine')
    await expect(testServer({ endpoint: dir.file('text'), transport: 'unix' })).rejects.toThrow(
      'address already in use',
    )
    expect(await readFile(dir.file('text'), 'utf8')).toBe('mine')
  })

  test('a port is handed over to a successor of the same owner without being closed', async () => {
    const taken = await testServer()
    const { port, address: endpoint } = taken
    await taken.close(0)
    const options = { endpoint, owner: 'otlp/grpc' }
    const first = await testServer(options)
    using before = grpcPeer(port)
    await before.call(Buffer.from('1'))
    const second = await testServer(options)
    expect(second.port).toBe(port)
    using after = grpcPeer(port)
    await after.call(Buffer.from('2'))
    expect([first.seen.length, second.seen.length]).toEqual([1, 1])
    await before.call(Buffer.from('3'))
    await first.close(0)
    await before.call(Buffer.from('4'))
    expect([first.seen.length, second.seen.length]).toEqual([2, 2])
    await expect(testServer({ endpoint, owner: 'another' })).rejects.toThrow('address already in use')
    await second.close(0)
    await expect(rawPeer(port)).rejects.toThrow(/ECONNREFUSED/)
  })

  test('owners of one name in two collectors do not take over each other', async () => {
    const free = await testServer()
    const { address: endpoint } = free
    await free.close(0)
    const [one, two] = [{}, {}]
    await using first = await testServer({ endpoint, owner: 'otlp/grpc', within: one })
    await expect(testServer({ endpoint, owner: 'otlp/grpc', within: two })).rejects.toThrow('address already in use')
    await using successor = await testServer({ endpoint, owner: 'otlp/grpc', within: one })
    expect(successor.port).toBe(first.port)
  })

  describe('a port left for a successor', () => {
    async function parked() {
      const taken = await testServer()
      const { port, address: endpoint } = taken
      await taken.close(0)
      const clock = new FakeClock()
      const options = { endpoint, owner: 'otlp/grpc', clock }
      const first = await testServer(options)
      await first.close(0, { park: 5000 })
      return { port, endpoint, clock, options }
    }

    test('keeps those who connect waiting until the successor serves them', async () => {
      const { port, options } = await parked()
      using peer = grpcPeer(port)
      const call = peer.call(Buffer.from('hello'))
      using connected = await rawPeer(port)
      await using second = await testServer(options)
      expect(await call).toEqual(Buffer.from('hello'))
      connected.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
      await connected.until(text => text.includes('200'))
      expect(second.port).toBe(port)
    })

    test('is closed when none comes', async () => {
      const { port, clock } = await parked()
      using waiting = await rawPeer(port)
      await clock.advance(5000)
      await waiting.closed
      await expect(rawPeer(port)).rejects.toThrow(/ECONNREFUSED/)
    })

    test('is given to whoever else wants it', async () => {
      const { port, endpoint } = await parked()
      await using other = await testServer({ endpoint, owner: 'another' })
      expect(other.port).toBe(port)
      using peer = grpcPeer(port)
      expect(await peer.call(Buffer.from('hello'))).toEqual(Buffer.from('hello'))
    })
  })
})
