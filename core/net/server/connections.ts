import type { Socket } from 'node:net'
import { formatAddress } from './listen-address.ts'

/** Every open socket of a server. */
export class Connections {
  readonly #open = new Set<Socket>()
  readonly #closers: (() => void)[] = []
  readonly #empty: (() => void)[] = []

  add(socket: Socket): void {
    this.#open.add(socket)
    socket.on('close', () => {
      this.#open.delete(socket)
      if (this.#open.size === 0) for (const resolve of this.#empty.splice(0)) resolve()
    })
  }

  get size(): number {
    return this.#open.size
  }

  /** Resolves once none is open. */
  gone(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise(resolve => this.#empty.push(resolve))
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }

  /** Calls `run` when the server has closed. */
  onClosed(run: () => void): void {
    this.#closers.push(run)
  }

  closed(): void {
    for (const run of this.#closers) run()
  }
}

/** `ip:port` of the other side; `undefined` on a unix socket and once it is gone. */
export function peerOf(socket: Socket): string | undefined {
  const { remoteAddress: host, remotePort: port } = socket
  return host === undefined || port === undefined ? undefined : formatAddress(host.replace(/^::ffff:/, ''), port)
}
