import { type InstanceId, Refusal, RetryableError } from '#core/component'
import type { Signal } from '#core/data'
import { logFields } from './context.ts'
import type { PlanNode } from './planned.ts'
import type { GraphServices } from './services.ts'
import { told } from './told.ts'

/** Milliseconds that a component from a file or package may keep a caller waiting, apart from what comes behind it. */
export const PATIENCE = 30_000

interface Call {
  readonly since: number
  give(up: Error): void
}

/**
 * Stands around one component. What the component gets wrong is logged with its place in the component's code, shows in
 * its status until it works again, and goes no further than to whoever called it.
 *
 * Components of the distribution bound their own waiting, by timeouts and by how often they retry. Those from files and
 * packages have shown nothing of the kind: their calls are timed, and one that they never answer is answered for them.
 */
export class Guard {
  /** Whether calls are timed. */
  readonly timed: boolean
  readonly #of: { readonly node: PlanNode; readonly instance: InstanceId }
  readonly #services: GraphServices
  readonly #calls = new Set<Call>()
  #ticking = false
  /** Calls of those behind that have not been answered. */
  #outgoing = 0
  #failure: { readonly error: unknown; readonly message: string } | undefined

  constructor(of: { readonly node: PlanNode; readonly instance: InstanceId }, services: GraphServices) {
    this.#of = of
    this.#services = services
    this.timed = of.node.configured.definition.source !== undefined
  }

  /** Whether the latest call went wrong. */
  get failing(): boolean {
    return this.#failure !== undefined
  }

  /** An error that is the component's own. Refusals are answers, not errors. */
  failed(error: unknown): void {
    if (error instanceof Refusal || (this.failing && error === this.#failure?.error)) return
    if (this.timed || isMistake(error)) this.#tell(error)
  }

  /** It works again. */
  worked(): void {
    this.#failure = undefined
    this.#services.report(this.#of.instance, 'OK')
  }

  /** The component handed something on that is not what its outlet carries. Returns what it is told. */
  misused(handed: unknown, context: unknown, signal: Signal): TypeError {
    const error = new TypeError(misuse(handed, context, signal))
    this.failed(error)
    return error
  }

  /** Settles as `pending` does, or as a retryable refusal when that takes too long. */
  answered<T>(pending: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const call: Call = { since: this.#services.clock.monotonic(), give: reject }
      this.#calls.add(call)
      this.#tick()
      pending.then(
        value => {
          this.#calls.delete(call)
          resolve(value)
        },
        error => {
          this.#calls.delete(call)
          reject(error)
        },
      )
    })
  }

  /** Counts a call of whoever comes behind. */
  async outgoing(pending: Promise<void>): Promise<void> {
    this.#outgoing++
    try {
      await pending
    } finally {
      this.#outgoing--
    }
  }

  #tick(): void {
    if (this.#ticking) return
    this.#ticking = true
    this.#services.clock.after(PATIENCE / 4, () => {
      this.#ticking = false
      this.#giveUp()
      if (this.#calls.size > 0) this.#tick()
    })
  }

  /** As many calls may be waiting for those behind as these have; the others wait for the component alone. */
  #giveUp(): void {
    const overdue = this.#services.clock.monotonic() - PATIENCE
    let stuck = this.#calls.size - this.#outgoing
    for (const call of this.#calls) {
      if (stuck-- <= 0 || call.since > overdue) return
      const { kind, id } = this.#of.instance
      const error = new RetryableError(`${kind} "${id}" has not answered within ${PATIENCE / 1000} s`)
      this.#calls.delete(call)
      this.#tell(error)
      call.give(error)
    }
  }

  #tell(error: unknown): void {
    const { node, instance } = this.#of
    const message = told(error, node)
    const logger = this.#services.logger(logFields(node))
    logger.error('Component failed', { error: error instanceof Error ? error : String(error), reason: message })
    const known = this.#failure?.message === message
    this.#failure = { error, message }
    if (!known) this.#services.report(instance, 'RecoverableError', new Error(message, { cause: error }))
  }
}

/** What is thrown where the program is wrong, not the world. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
}

function misuse(handed: unknown, context: unknown, signal: Signal): string {
  const of = (handed as { readonly signal?: unknown } | undefined)?.signal
  if (of === undefined) return `cannot hand on ${nameOf(handed)}: a payload of ${signal} is needed`
  if (of !== signal) return `cannot hand on a payload of ${of}: a payload of ${signal} is needed`
  return `cannot hand on telemetry with ${nameOf(context)}: the context that came with it is needed, or NO_CONTEXT`
}

/** What a value is, in a word or two. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}
