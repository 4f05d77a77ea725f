import type { Socket } from 'node:net'

/** What the first bytes of a connection are. */
export type Protocol = 'http1' | 'http2' | 'tls'

/**
 * Looks at the first three bytes of a plaintext connection without taking them. Three, because POST, PUT, PATCH and
 * PROPFIND share their first byte with HTTP/2's preface `PRI * HTTP/2.0`. Calls `found` once, unless the peer closes first.
 */
export function recognize(socket: Socket, found: (protocol: Protocol) => void): void {
  const look = () => {
    // `read(3)` takes nothing while fewer have arrived, and what there is at the end.
    const head: Buffer | null = socket.read(3)
    if (head === null) return
    socket.off('readable', look)
    socket.unshift(head)
    found(head.equals(PRI) ? 'http2' : head[0] === HANDSHAKE && head[1] === 3 ? 'tls' : 'http1')
  }
  socket.on('readable', look)
}

const PRI = Buffer.from('PRI')
/** Content type of a TLS record that opens a connection. */
const HANDSHAKE = 22
