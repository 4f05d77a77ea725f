import { lookup } from 'node:dns/promises'
import type { Clock } from '#core/component'
import type { Address } from './dial.ts'
import type { GrpcTarget } from './grpc-target.ts'

/** Addresses of a host name; in tests something other than the system's resolver. */
export type Lookup = (host: string) => Promise<readonly string[]>

/** Asks the operating system. */
export const systemLookup: Lookup = async host =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(found => found.address)

/** Finds the addresses of a target, and not more often than is polite. */
export class GrpcResolver {
  readonly #target: GrpcTarget
  readonly #clock: Clock
  readonly #lookup: Lookup
  #asked: number | undefined

  constructor(target: GrpcTarget, clock: Clock, lookup: Lookup) {
    this.#target = target
    this.#clock = clock
    this.#lookup = lookup
  }

  /** Whether asking again may tell something new and is not too early. */
  get due(): boolean {
    if (this.#target.fixed !== undefined) return this.#asked === undefined
    return this.#asked === undefined || this.#clock.monotonic() - this.#asked >= MIN_INTERVAL
  }

  /**
   * The addresses now.
   * @throws {Error} naming the host when it cannot be resolved or has none
   */
  async resolve(): Promise<readonly Address[]> {
    this.#asked = this.#clock.monotonic()
    if (this.#target.fixed !== undefined) return this.#target.fixed
    const { host, port } = this.#target.name!
    try {
      const found = [...new Set(await this.#lookup(host))]
      if (found.length === 0) throw new Error('it has no address')
      return found.map(address => ({ host: address, port }))
    } catch (error) {
      this.#asked = undefined
      throw new Error(`Could not resolve ${host}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Milliseconds between two questions, as in gRPC. */
const MIN_INTERVAL = 30_000
