import { describe, expect, test } from 'vitest'
import { FakeClock, until } from '#core/testing'
import { data, FRAME, framePeer, grpcPeer, headers, message, PREFACE, ping, testServer } from './testdata/harness.ts'

const HELLO = Buffer.from('hello')
const ENHANCE_YOUR_CALM = 11
const ACK = 1

/** A server with these keepalive options and a connection that has had one call answered. */
async function connected(keepalive: object, clock = new FakeClock()) {
  const server = await testServer({ clock, grpc: { keepalive } })
  const peer = await framePeer(server.port)
  peer.send(PREFACE, headers(1), data(1, message(HELLO)))
  await peer.frame(FRAME.DATA, 1)
  return {
    server,
    peer,
    clock,
    /** Pings, and waits for the answer. */
    async ping() {
      const count = () => peer.frames().filter(each => each.type === FRAME.PING && each.flags === 1).length
      const before = count()
      peer.send(ping())
      await peer.until(() => count() > before || peer.frames().some(each => each.type === FRAME.GOAWAY))
    },
    async [Symbol.asyncDispose]() {
      peer[Symbol.dispose]()
      await server.close(0)
    },
  }
}

const goaway = (peer: { frames(): { type: number; payload: Buffer }[] }) =>
  peer.frames().find(each => each.type === FRAME.GOAWAY)

describe('a peer that pings too often', () => {
  test('is told too_many_pings and disconnected', async () => {
    await using it = await connected({ enforcement_policy: { permit_without_stream: true } })
    for (let i = 0; i < 4; i++) await it.ping()
    await it.peer.closed
    const { payload } = goaway(it.peer)!
    expect(payload.readUInt32BE(4)).toBe(ENHANCE_YOUR_CALM)
    expect(payload.subarray(8).toString()).toBe('too_many_pings')
  })

  test('is one that keeps min_time no more', async () => {
    await using it = await connected({ enforcement_policy: { min_time: '10s', permit_without_stream: true } })
    for (let i = 0; i < 6; i++) {
      await it.ping()
      await it.clock.advance(10_000)
    }
    expect(goaway(it.peer)).toBeUndefined()
  })

  test('without a call is one that pings at all, unless permitted', async () => {
    await using it = await connected({ enforcement_policy: { min_time: '10s' } })
    for (let i = 0; i < 4; i++) {
      await it.ping()
      await it.clock.advance(10_000)
    }
    await it.peer.closed
    expect(goaway(it.peer)!.payload.readUInt32BE(4)).toBe(ENHANCE_YOUR_CALM)
  })

  test('is forgiven when it calls', async () => {
    await using it = await connected({ enforcement_policy: { permit_without_stream: true } })
    for (let i = 0; i < 5; i++) {
      await it.ping()
      await it.ping()
      const stream = 3 + 2 * i
      it.peer.send(headers(stream), data(stream, message(HELLO)))
      await it.peer.frame(FRAME.DATA, stream)
    }
    expect(goaway(it.peer)).toBeUndefined()
  })

  test('grpc-js lives with the default policy', async () => {
    await using server = await testServer()
    using peer = grpcPeer(server.port, { channel: { 'grpc.keepalive_time_ms': 300_000 } })
    for (let i = 0; i < 5; i++) expect(await peer.call(HELLO)).toEqual(HELLO)
  })
})

describe('a connection', () => {
  test('that is idle too long is closed', async () => {
    await using it = await connected({ server_parameters: { max_connection_idle: '1m' } })
    await until(() => it.clock.next !== undefined)
    await it.clock.advance(59_000)
    expect(goaway(it.peer)).toBeUndefined()
    await it.clock.advance(1000)
    await it.peer.closed
    expect(goaway(it.peer)!.payload.readUInt32BE(4)).toBe(0)
  })

  test('that is too old is drained, and cut off after its grace', async () => {
    const gate = Promise.withResolvers<void>()
    const clock = new FakeClock()
    await using server = await testServer({
      clock,
      answer: async bytes => {
        await gate.promise
        return bytes
      },
      grpc: { keepalive: { server_parameters: { max_connection_age: '10s', max_connection_age_grace: '5s' } } },
    })
    using peer = await framePeer(server.port)
    peer.send(PREFACE, headers(1), data(1, message(HELLO)))
    await until(() => server.seen.length === 1)
    await clock.advance(8900)
    expect(goaway(peer)).toBeUndefined()
    await clock.advance(2200)
    await peer.frame(FRAME.GOAWAY)
    expect(peer.socket.closed).toBe(false)
    await clock.advance(5000)
    await peer.closed
    gate.resolve()
  })

  test('whose peer is dead is closed: a ping stays without answer', async () => {
    await using it = await connected({ server_parameters: { time: '1m', timeout: '5s' } })
    await it.clock.advance(60_000)
    await it.clock.advance(60_000)
    await it.peer.frame(FRAME.PING)
    await it.clock.advance(4000)
    expect(it.peer.socket.closed).toBe(false)
    await it.clock.advance(1000)
    await it.peer.closed
  })

  test('whose peer answers pings stays', async () => {
    await using it = await connected({ server_parameters: { time: '1m', timeout: '5s' } })
    await it.clock.advance(60_000)
    const asked = () => it.peer.frames().filter(each => each.type === FRAME.PING && each.flags === 0)
    for (let i = 1; i < 5; i++) {
      await it.clock.advance(60_000)
      await it.peer.until(() => asked().length === i)
      const reply = ping()
      asked().at(-1)!.payload.copy(reply, 9)
      reply[4] = ACK
      it.peer.send(reply)
      await until(() => it.clock.next === 60_000)
    }
    expect(it.peer.socket.closed).toBe(false)
  })
})
