import type { Host, Refusal } from '#core/component'

/** Gives back what {@link Admission.admit} granted. Called once. */
export interface Release {
  (): void
  /** Tells that the bytes granted have all arrived: from now on memory shows them. May be called more than once. */
  readonly arrived?: () => void
}

/**
 * Room for bodies: asked before a body is buffered, so that memory stays bounded however many senders there are.
 * A memory limiter extension implements it; several are asked one after the other.
 */
export interface Admission {
  /** Grants `bytes` bytes until released, or says why not. The refusal's code and delay are shown to the sender. */
  admit(bytes: number): Release | Refusal
}

export function isAdmission(component: object): component is Admission {
  return 'admit' in component && typeof component.admit === 'function'
}

/** The `middlewares` option as received. */
type Middlewares = readonly { readonly id: string }[]

/**
 * Finds the extensions that `middlewares` names. Those known to servers are the ones that admit requests.
 * @param protocol as the Collector names it in its sentence
 * @throws {Error} with the Collector's sentence when one is missing or of another kind
 */
export function resolveAdmissions(
  middlewares: Middlewares,
  host: Pick<Host, 'extension'>,
  protocol: 'HTTP' | 'gRPC',
): readonly Admission[] {
  return middlewares.map(({ id }) => {
    const extension = host.extension(id)
    if (extension === undefined) throw new Error(`failed to resolve middleware "${id}": middleware not found`)
    if (!isAdmission(extension)) throw new Error(`requested extension is not ${article(protocol)} server middleware`)
    return extension
  })
}

function article(protocol: 'HTTP' | 'gRPC'): string {
  return protocol === 'HTTP' ? 'an HTTP' : 'a gRPC'
}

/** What one request holds of all admissions together. */
export class Reservation {
  readonly #admissions: readonly Admission[]
  #held: Release[] | undefined

  constructor(admissions: readonly Admission[]) {
    this.#admissions = admissions
  }

  /** Asks for `bytes` more. On a refusal what was granted before stays held until `release`. */
  take(bytes: number): Refusal | undefined {
    for (const admission of this.#admissions) {
      const answer = admission.admit(bytes)
      if (typeof answer !== 'function') return answer
      this.#held ??= []
      this.#held.push(answer)
    }
    return undefined
  }

  /** Everything asked for so far has arrived. */
  arrived(): void {
    if (this.#held !== undefined) for (const { arrived } of this.#held) arrived?.()
  }

  /** Gives everything back. May be called more than once. */
  release(): void {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) for (const release of held) release()
  }
}
