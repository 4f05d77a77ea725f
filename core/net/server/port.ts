import type { Clock, Logger } from '#core/component'
import type { ServerAuthenticator } from '../auth.ts'
import type { Admission } from './admission.ts'
import type { Deadlines } from './deadlines.ts'
import type { GrpcService, HttpService, RawHttpService } from './service.ts'

/** What everything that serves one port has in common. */
export interface Port {
  readonly grpc: GrpcService | undefined
  readonly http: HttpService | undefined
  readonly raw: RawHttpService | undefined
  readonly authenticator: ServerAuthenticator | undefined
  readonly admissions: readonly Admission[]
  readonly deadlines: Deadlines
  readonly logger: Logger
  readonly clock: Clock
  readonly work: Work
}

/** Requests handed to a handler that has not settled yet. */
export class Work {
  /** Set when the server drains: connections are not kept alive any more. */
  closing = false
  #under = 0
  readonly #idle: (() => void)[] = []

  begin(): void {
    this.#under++
  }

  end(): void {
    this.#under--
    if (this.#under === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  get underWay(): number {
    return this.#under
  }

  /** Resolves once nothing is under way. */
  done(): Promise<void> {
    return this.#under === 0 ? Promise.resolve() : new Promise(resolve => this.#idle.push(resolve))
  }
}
