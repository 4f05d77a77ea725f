import type { Socket } from 'node:net'
import { peerOf } from './connections.ts'

/**
 * Connections whose TLS handshake goes on. One whose peer has gone away in the middle of it stays half open until the
 * handshake's timeout: a server that closes does not wait for it. The socket that comes out of a handshake is another
 * one than went in; the peer tells which belong together, except on unix sockets, which are not kept track of.
 */
export class Handshakes {
  readonly #sockets = new Map<string, Socket>()

  begin(socket: Socket): void {
    const peer = peerOf(socket)
    if (peer === undefined) return
    this.#sockets.set(peer, socket)
    socket.once('close', () => {
      if (this.#sockets.get(peer) === socket) this.#sockets.delete(peer)
    })
  }

  end(socket: Socket): void {
    const peer = peerOf(socket)
    if (peer !== undefined) this.#sockets.delete(peer)
  }

  destroy(): void {
    for (const socket of this.#sockets.values()) socket.destroy()
  }
}
