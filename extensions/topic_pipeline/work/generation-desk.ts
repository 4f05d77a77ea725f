import { type Clock, RouteError } from '#core/component'
import type { Effects, JobEnd } from '../jobs/job-runner-options.ts'
import { ModelError } from '../language_model/language-model.ts'
import type { ClaimedJob, GenerationOrder } from '../model/job.ts'
import type { Draft, NewDraft } from '../model/writing.ts'
import { Unobtainable } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'

/** Milliseconds between two looks at a job that another process may work on. */
const LOOK_AGAIN = 1000

/** Where it is remembered which draft a job brought, for who waits in another process; milliseconds for how long. */
const DRAFT_OF_JOB = 'draft of job'
const REMEMBERED = 86_400_000

export interface DeskDeps {
  readonly store: TopicStore
  readonly clock: Clock
  /** Regenerations of a topic or group in a format. */
  readonly regenerations: number
  write(order: GenerationOrder, signal: AbortSignal, traceparent?: string): Promise<NewDraft>
  /** Why nothing can be written now; `undefined` when it can. */
  unavailable(): Promise<string | undefined>
}

interface Waiting {
  resolve(draftId: number): void
  reject(error: unknown): void
}

/**
 * Takes orders for drafts. Each is a GENERATE job, so that it outlives a crash; who ordered waits for the draft. The
 * job may be done by another process on the same database.
 */
export class GenerationDesk {
  readonly #deps: DeskDeps
  readonly #waiting = new Map<number, Waiting>()
  readonly #closing = new AbortController()

  constructor(deps: DeskDeps) {
    this.#deps = deps
  }

  /** @throws {RouteError} 429 when the regenerations are used up, 502 and 503 when the model does not answer */
  async order(order: GenerationOrder): Promise<Draft> {
    const { store, clock } = this.#deps
    const why = await this.#deps.unavailable()
    if (why !== undefined) throw new RouteError(503, 'LLM_UNAVAILABLE', why)
    if (this.#closing.signal.aborted) throw stopping('nothing is begun any more')
    const now = clock.now()
    const jobId = await store.transaction(async tables => {
      if (order.parentId !== undefined) {
        await tables.exclusive('generation')
        if ((await tables.drafts.regenerations(order)) >= this.#deps.regenerations) throw this.#usedUp()
        await tables.drafts.setFeedback(order.parentId, order.feedback ?? '')
      }
      return tables.jobs.enqueue('GENERATE', order.topicId, now, { order })
    })
    const done = this.#ended(jobId)
    const draft = await store.drafts.get(await done)
    if (draft === undefined) throw new RouteError(502, 'GENERATION_FAILED', 'The draft was deleted before it was read')
    return draft
  }

  /** Does a GENERATE job. */
  async handle(job: ClaimedJob, signal: AbortSignal): Promise<Effects> {
    const draft = await this.#deps.write(job.order!, signal, job.traceparent ?? undefined)
    return async tables => {
      const now = this.#deps.clock.now()
      const id = await tables.drafts.create(draft, now)
      this.#written.set(job.id, id)
      await tables.memory.set(DRAFT_OF_JOB, String(job.id), id, now)
      await tables.memory.prune(DRAFT_OF_JOB, now - REMEMBERED)
    }
  }

  /** Drafts whose transaction may not have ended yet, by job. */
  readonly #written = new Map<number, number>()

  /** Told once what became of a run of a job is written. A job that was lost or put off may still bring a draft. */
  ended(jobId: number, { outcome, error }: JobEnd): void {
    const draftId = this.#written.get(jobId)
    this.#written.delete(jobId)
    const waiting = this.#waiting.get(jobId)
    if (outcome === 'completed' && draftId !== undefined) waiting?.resolve(draftId)
    if (outcome === 'failed') waiting?.reject(asAnswer(error))
  }

  close(): void {
    this.#closing.abort()
    for (const { reject } of this.#waiting.values()) {
      reject(stopping('the draft will be written when it runs again'))
    }
  }

  async #ended(jobId: number): Promise<number> {
    const ended = new Promise<number>((resolve, reject) => this.#waiting.set(jobId, { resolve, reject }))
    const elsewhere = new AbortController()
    const signal = AbortSignal.any([elsewhere.signal, this.#closing.signal])
    try {
      return await Promise.race([ended, this.#watch(jobId, signal)])
    } finally {
      elsewhere.abort()
      ended.catch(() => {})
      this.#waiting.delete(jobId)
    }
  }

  /** Looks at the job until it has ended, in case another process does it. Never settles once `signal` is aborted. */
  async #watch(jobId: number, signal: AbortSignal): Promise<number> {
    const { store, clock } = this.#deps
    for (;;) {
      await clock.sleep(LOOK_AGAIN, signal).catch(() => {})
      if (signal.aborted) return new Promise(() => {})
      const job = await store.jobs.get(jobId)
      if (job?.status === 'FAILED') throw new RouteError(502, 'GENERATION_FAILED', job.errorMessage ?? 'It failed')
      if (job !== undefined && job.status !== 'COMPLETED') continue
      const draftId = await store.memory.get(DRAFT_OF_JOB, String(jobId))
      if (typeof draftId === 'number') return draftId
      throw new RouteError(502, 'GENERATION_FAILED', 'The draft is gone')
    }
  }

  #usedUp(): RouteError {
    const { regenerations } = this.#deps
    return new RouteError(429, 'TOO_MANY_REGENERATIONS', `Maximum regeneration rounds reached (${regenerations})`)
  }
}

function stopping(what: string): RouteError {
  return new RouteError(503, 'STOPPING', `The collector stops; ${what}`)
}

/** What the person who waits is told of an error. */
export function asAnswer(error: unknown): unknown {
  if (error instanceof Unobtainable) return new RouteError(404, 'NOT_FOUND', error.message, { cause: error })
  if (!(error instanceof ModelError)) return error
  const [status, code] = STATUS[error.reason]
  return new RouteError(status, code, error.message, { cause: error })
}

const STATUS: Readonly<Record<ModelError['reason'], readonly [number, string]>> = {
  unconfigured: [503, 'LLM_UNAVAILABLE'],
  budget: [429, 'LLM_BUDGET_EXCEEDED'],
  busy: [503, 'LLM_BUSY'],
  invalid: [502, 'LLM_INVALID_ANSWER'],
  refused: [502, 'LLM_REFUSED'],
}
