import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { RetryableError } from '#core/component'
import { until } from '#core/testing'
import { decodeStatus } from '../status-codec.ts'
import type { Admission } from './admission.ts'
import {
  data,
  framePeer,
  GRPC_HEADERS,
  grpcPeer,
  h2Peer,
  headers,
  message,
  PREFACE,
  post,
  rawPeer,
  testServer,
} from './testdata/harness.ts'

const HELLO = Buffer.from('hello')

function limiter(capacity: number): Admission & { held: number; peak: number } {
  return {
    held: 0,
    peak: 0,
    admit(bytes) {
      if (this.held + bytes > capacity) return new RetryableError('memory is short', { after: 2000 })
      this.held += bytes
      this.peak = Math.max(this.peak, this.held)
      return () => {
        this.held -= bytes
      }
    },
  }
}

describe('a gRPC call', () => {
  test('a message that finds no room is refused before it is buffered, in a way that lets it come again', async () => {
    const memory = limiter(1000)
    await using server = await testServer({ admissions: [memory] })
    using peer = grpcPeer(server.port)
    const error = await peer.fail(Buffer.alloc(2000))
    expect(error).toMatchObject({ code: 14, details: 'memory is short' })
    expect(decodeStatus(error.metadata.get('grpc-status-details-bin')[0] as Buffer)?.retryAfter).toBe(2000)
    expect(server.seen).toEqual([])
    await peer.call(Buffer.alloc(900))
    expect(memory.peak).toBe(900)
    await until(() => memory.held === 0)
  })

  test('what decompression adds counts too', async () => {
    const memory = limiter(10_000)
    await using server = await testServer({ admissions: [memory] })
    using peer = grpcPeer(server.port, { gzip: true })
    expect(await peer.fail(Buffer.alloc(50_000))).toMatchObject({ code: 14, details: 'memory is short' })
    expect(server.seen).toEqual([])
    await until(() => memory.held === 0)
  })

  test('is refused at its head when there is no room at all', async () => {
    await using server = await testServer({ admissions: [{ admit: () => new RetryableError('memory is short') }] })
    using peer = await h2Peer(server.url)
    const stream = peer.session.request(GRPC_HEADERS)
    const [headers] = await once(stream, 'response')
    expect(headers).toMatchObject({ 'grpc-status': '14', 'grpc-message': 'memory is short' })
  })

  test('room is given back when the sender goes away', async () => {
    const memory = limiter(1000)
    await using server = await testServer({ admissions: [memory] })
    using peer = await framePeer(server.port)
    peer.send(PREFACE, headers(1), data(1, message(HELLO, 0, 500), 0))
    await until(() => memory.held === 500)
    peer.socket.resetAndDestroy()
    await until(() => memory.held === 0)
  })
})

/** Notes what is asked and told, in order. */
function noted(): Admission & { readonly notes: string[] } {
  const notes: string[] = []
  return {
    notes,
    admit(bytes) {
      if (bytes === 0) return () => {}
      notes.push(`asked ${bytes}`)
      const release = () => void notes.push(`released ${bytes}`)
      return Object.assign(release, { arrived: () => void notes.push(`arrived ${bytes}`) })
    },
  }
}

describe('a body that has arrived', () => {
  test('is told as such, before and after decompression, over gRPC and HTTP', async () => {
    for (const protocol of ['grpc', 'http']) {
      const memory = noted()
      await using server = await testServer({ admissions: [memory] })
      const zipped = gzipSync(Buffer.alloc(5000))
      if (protocol === 'grpc') {
        using peer = grpcPeer(server.port, { gzip: true })
        await peer.call(Buffer.alloc(5000))
      } else await post(server.url, zipped, { 'content-encoding': 'gzip' })
      await until(() => memory.notes.some(note => note === 'released 5000'))
      const [asked, arrived, then, ...rest] = memory.notes
      expect(arrived).toBe(asked!.replace('asked', 'arrived'))
      expect([then, rest[0], rest[1]]).toEqual(['asked 5000', arrived, 'arrived 5000'])
    }
  })
})

describe('an HTTP request', () => {
  test('a full memory is told before the body is asked for', async () => {
    await using server = await testServer({ admissions: [{ admit: () => new RetryableError('memory is short') }] })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n')
    expect(await peer.until(text => text.endsWith('short'))).toMatch(/^HTTP\/1\.1 503/)
    using chunked = await rawPeer(server.port)
    chunked.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    expect(await chunked.until(text => text.endsWith('short'))).toMatch(/^HTTP\/1\.1 503/)
  })

  test('room is asked for before the body is read, and given back', async () => {
    let held = 0
    const admission = {
      admit(bytes: number) {
        if (held + bytes > 100_000) return new RetryableError('memory is short', { after: 1000 })
        held += bytes
        return () => {
          held -= bytes
        }
      },
    }
    await using server = await testServer({ admissions: [admission] })
    const refused = await post(server.url, Buffer.alloc(200_000))
    expect([refused.status, refused.text, refused.headers.get('retry-after')]).toEqual([503, 'memory is short', '1'])
    expect((await post(server.url, gzipSync(Buffer.alloc(150_000)), { 'content-encoding': 'gzip' })).status).toBe(503)
    expect((await post(server.url, Buffer.alloc(90_000))).status).toBe(200)
    await until(() => held === 0)

    using chunked = await rawPeer(server.port)
    chunked.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')])
    chunked.socket.write(chunk)
    chunked.socket.write(chunk)
    expect(await chunked.until(text => text.endsWith('short'))).toMatch(/^HTTP\/1\.1 503/)
    await until(() => held === 0)
  })
})
