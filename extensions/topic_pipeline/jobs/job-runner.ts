import type { Timer } from '#core/component'
import type { ClaimedJob } from '../model/job.ts'
import { JOB_STAGES, type JobStage } from '../model/stages.ts'
import { JOB_RUNNER_DEFAULTS, type JobEnd, type JobRunnerOptions } from './job-runner-options.ts'

/** Milliseconds before a look that found nothing, or failed, is repeated at the earliest. */
const PAUSE = 50
const PAUSE_AFTER_ERROR = 1000
/** Milliseconds between two clean-ups. */
const PRUNE_INTERVAL = 3_600_000

/** Why a handler's signal is aborted. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted'
  readonly reason: 'lost' | 'stopping'
  constructor(reason: 'lost' | 'stopping') {
    super(reason === 'lost' ? 'Another process has taken the job over' : 'The collector is stopping')
    this.reason = reason
  }
}

/**
 * Takes jobs that are due, has them done, and writes what became of them. It looks when jobs were added in this process,
 * when one ends, when the next is due, and now and then if other processes add some. Leases are renewed at a third of
 * their length.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #concurrency: Readonly<Record<JobStage, number>>
  readonly #running = new Map<number, Running>()
  #state: 'idle' | 'running' | 'stopping' = 'idle'
  #unsubscribe: () => void = () => {}
  #looking: Promise<void> | undefined
  #lookAgain = false
  #recovered = 0
  #timer: Timer | undefined
  #renewal: Timer | undefined
  #pruning: Timer | undefined

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#concurrency = { ...JOB_RUNNER_DEFAULTS.concurrency, ...options.concurrency }
  }

  /** Jobs under way in this process. */
  get running(): readonly ClaimedJob[] {
    return [...this.#running.values()].map(each => each.job)
  }

  /** Takes back what this owner held when its last process ended, and begins. */
  async start(): Promise<void> {
    const { store, clock, logger, owner, rules } = this.#options
    const recovered = await store.jobs.recover(clock.now(), rules, owner)
    if (recovered > 0) logger.info('Took back jobs that had not ended', { jobs: recovered })
    this.#state = 'running'
    this.#unsubscribe = store.onJobs(() => this.wake())
    this.#renewLater()
    this.#prune()
    this.wake()
  }

  /** Looks for jobs now. */
  wake(): void {
    if (this.#state !== 'running') return
    this.#lookAgain = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
      if (this.#lookAgain) this.wake()
    })
  }

  /** Takes no more jobs, waits for those under way as long as the grace lasts, and gives the rest back. */
  async stop(): Promise<void> {
    if (this.#state !== 'running') return
    this.#state = 'stopping'
    this.#unsubscribe()
    this.#timer?.cancel()
    this.#pruning?.cancel()
    await this.#looking
    await this.#grace()
    const rest = [...this.#running.values()]
    for (const { abort } of rest) abort.abort(new JobInterrupted('stopping'))
    // Before their handlers end, which may take its time: what they write afterwards is refused.
    await this.#options.store.jobs
      .release(
        rest.map(each => each.job),
        this.#options.clock.now(),
      )
      .catch(error => this.#failed('give back', error))
    await this.#grace()
    this.#state = 'idle'
    this.#renewal?.cancel()
  }

  async #grace(): Promise<void> {
    if (this.#running.size === 0) return
    const over = new AbortController()
    const ended = Promise.all([...this.#running.values()].map(each => each.ended))
    const late = this.#options.clock.sleep(this.#options.grace, over.signal).catch(() => {})
    await Promise.race([ended, late])
    over.abort()
  }

  async #look(): Promise<void> {
    this.#timer?.cancel()
    let pause = PAUSE
    let next: number | undefined
    while (this.#lookAgain && this.#state === 'running') {
      this.#lookAgain = false
      try {
        next = await this.#take()
      } catch (error) {
        this.#failed('take', error)
        next = this.#options.clock.now()
        pause = PAUSE_AFTER_ERROR
      }
    }
    if (this.#state === 'running') this.#lookLater(next, pause)
  }

  /** Starts all that are due and have a free place. @returns when to look again */
  async #take(): Promise<number | undefined> {
    const { store, clock, owner, lease } = this.#options
    const stages = JOB_STAGES.filter(stage => this.#free(stage) > 0)
    const due = await store.jobs.nextDue(stages)
    if (due === undefined || due > clock.now()) return due
    let taken = 0
    for (const stage of stages) {
      if (this.#state !== 'running') break
      const now = clock.now()
      const limit = this.#free(stage)
      const jobs = await store.jobs.claim({ stages: [stage], owner, now, leaseUntil: now + lease, limit })
      for (const job of jobs) this.#begin(job)
      taken += jobs.length
    }
    // What is due and could not be claimed is held by a lease that has ended.
    if (taken === 0 || clock.now() >= this.#recovered + lease) await this.#recover()
    return taken === 0 ? due : await store.jobs.nextDue(JOB_STAGES.filter(stage => this.#free(stage) > 0))
  }

  /** Ends leases of those who died. Ours are renewed first: the machine may have slept, and we with it. */
  async #recover(): Promise<void> {
    const { store, clock, rules } = this.#options
    await this.#renew()
    this.#recovered = clock.now()
    await store.jobs.recover(clock.now(), rules)
  }

  #lookLater(next: number | undefined, pause: number): void {
    const { clock, pollInterval = Number.POSITIVE_INFINITY } = this.#options
    const due = next === undefined ? Number.POSITIVE_INFINITY : Math.max(pause, next - clock.now())
    const delay = Math.min(due, pollInterval)
    if (Number.isFinite(delay)) this.#timer = clock.after(delay, () => this.wake())
  }

  #free(stage: JobStage): number {
    return this.#concurrency[stage] - this.running.filter(job => job.stage === stage).length
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController()
    const run = () => this.#run(job, abort.signal)
    const { around, ended: tell } = this.#options
    const ended = (around === undefined ? run() : around(job, run))
      .catch((error): JobEnd => ({ outcome: 'lost', error }))
      .then(end => {
        this.#running.delete(job.id)
        tell?.(job, end)
        this.wake()
      })
      .catch(error => this.#failed('tell about', error))
    this.#running.set(job.id, { job, abort, ended })
  }

  async #run(job: ClaimedJob, signal: AbortSignal): Promise<JobEnd> {
    const { store, clock, handle } = this.#options
    try {
      const effects = await handle(job, signal)
      const ours = await store.jobs.finish(job, clock.now(), effects)
      return { outcome: ours ? 'completed' : interrupted(signal) }
    } catch (error) {
      return await this.#setBack(job, signal, error)
    }
  }

  async #setBack(job: ClaimedJob, signal: AbortSignal, error: unknown): Promise<JobEnd> {
    const { store, clock, rules, classify } = this.#options
    if (signal.aborted) return { outcome: interrupted(signal), error }
    try {
      const status = await store.jobs.fail(job, classify(error, job), clock.now(), rules)
      if (status === undefined) return { outcome: 'lost', error }
      return { outcome: status === 'FAILED' ? 'failed' : 'retried', error }
    } catch (cause) {
      // Its lease runs out, then it is tried again.
      this.#failed('write the failure of', cause)
      return { outcome: 'lost', error }
    }
  }

  #renewLater(): void {
    const { clock, lease } = this.#options
    this.#renewal = clock.after(
      lease / 3,
      () => void this.#renew().then(() => this.#state !== 'idle' && this.#renewLater()),
    )
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    const { store, clock, lease } = this.#options
    try {
      for (const id of await store.jobs.renew(this.running, clock.now() + lease)) {
        this.#running.get(id)?.abort.abort(new JobInterrupted('lost'))
      }
    } catch (error) {
      this.#failed('renew the leases of', error)
    }
  }

  #prune(): void {
    const { store, clock, keepCompleted, keepFailed } = { ...JOB_RUNNER_DEFAULTS, ...this.#options }
    const now = clock.now()
    void store.jobs
      .prune(now - keepCompleted, now - keepFailed)
      .catch(error => this.#failed('clean up', error))
      .then(() => {
        if (this.#state === 'running') this.#pruning = clock.after(PRUNE_INTERVAL, () => this.#prune())
      })
  }

  #failed(what: string, error: unknown): void {
    this.#options.logger.warn(`Could not ${what} jobs`, { error })
  }
}

interface Running {
  readonly job: ClaimedJob
  readonly abort: AbortController
  readonly ended: Promise<void>
}

function interrupted(signal: AbortSignal): 'lost' | 'released' {
  const { reason } = signal
  return reason instanceof JobInterrupted && reason.reason === 'stopping' ? 'released' : 'lost'
}
