import type * as net from 'node:net'
import { describe, expect, test } from 'vitest'
import { Code } from '#core/component'
import { FakeClock, until } from '#core/testing'
import { frame, goaway, grpcClient, METHOD, rawServer, refusal, SETTINGS } from './rig.test-support.ts'

describe('keepalive', () => {
  const PING = 6
  const ACK = 1

  /** A server that counts pings, and answers them or not. */
  async function pinged(onPing: (socket: net.Socket, opaque: Buffer, count: number) => void) {
    let pings = 0
    const server = await rawServer(socket => {
      socket.write(SETTINGS)
      let rest: Buffer = Buffer.alloc(0)
      let preface = 24
      socket.on('data', chunk => {
        rest = Buffer.concat([rest, chunk])
        if (preface > 0 && rest.length >= preface) {
          rest = rest.subarray(preface)
          preface = 0
        }
        while (preface === 0 && rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
          const length = rest.readUIntBE(0, 3)
          if (rest[3] === PING && (rest[4]! & ACK) === 0) onPing(socket, rest.subarray(9, 17), ++pings)
          rest = rest.subarray(9 + length)
        }
      })
    })
    return Object.assign(server, { pings: () => pings })
  }

  const pong = (socket: net.Socket, opaque: Buffer) => void socket.write(frame(PING, ACK, 0, opaque))
  const keepalive = { time: '10s', timeout: '5s' }
  const deps = () => ({ clock: new FakeClock() })

  test('finds out that a server is gone', async () => {
    await using server = await pinged(() => {})
    const given = deps()
    await using client = await grpcClient({ endpoint: server.endpoint, keepalive }, given)
    const call = refusal(client.call(METHOD, []))
    await until(() => given.clock.next === 10_000)
    await given.clock.advance(10_000)
    await until(() => server.pings() === 1)
    await given.clock.advance(5000)
    expect(await call).toEqual([
      'RetryableError',
      Code.UNAVAILABLE,
      'Connection failed: no answer to a ping within 5000 ms',
    ])
  })

  test('goes on while the server answers, and rests while no call is under way', async () => {
    await using server = await pinged(pong)
    const given = deps()
    await using client = await grpcClient({ endpoint: server.endpoint, keepalive }, given)
    const controller = new AbortController()
    const call = refusal(client.call(METHOD, [], { signal: controller.signal }))
    for (let pings = 1; pings <= 3; pings++) {
      await until(() => given.clock.next === 10_000)
      await given.clock.advance(10_000)
      await until(() => server.pings() === pings)
    }
    controller.abort(new Error('enough'))
    await call
    await until(() => given.clock.next === 10_000)
    await given.clock.advance(60_000)
    expect([server.pings(), given.clock.pending]).toEqual([3, 0])
  })

  test('pings without calls when that is permitted, never more often than every 10 s', async () => {
    await using server = await pinged(pong)
    const given = deps()
    const often = { time: '1s', permit_without_stream: true }
    await using _client = await grpcClient({ endpoint: server.endpoint, keepalive: often }, given)
    await until(() => given.clock.next === 10_000)
    await given.clock.advance(10_000)
    await until(() => server.pings() === 1)
  })

  test('pings half as often after too_many_pings', async () => {
    await using server = await pinged((socket, opaque, count) => {
      if (count === 1) socket.write(goaway({ code: 11, text: 'too_many_pings' }))
      else pong(socket, opaque)
    })
    const given = deps()
    const always = { ...keepalive, permit_without_stream: true }
    await using _client = await grpcClient({ endpoint: server.endpoint, keepalive: always }, given)
    await until(() => given.clock.next === 10_000)
    await given.clock.advance(10_000)
    await until(() => server.sockets.length === 2 && given.clock.next === 20_000)
  })
})
