import type { Clock, Logger } from '#core/component'
import type { ClaimedJob, Setback } from '../model/job.ts'
import type { JobStage } from '../model/stages.ts'
import type { RetryRules, Tables, TopicStore } from '../store/store.ts'

/** What a job did, to be written in the transaction that ends it. Runs at most once, and not at all if it was lost. */
export type Effects = (tables: Tables) => Promise<void>

/** Does a job. `signal` is aborted when the job was lost to another process, or when the collector stops. */
export type JobHandler = (job: ClaimedJob, signal: AbortSignal) => Promise<Effects>

/**
 * What became of one run of a job: ended; put off; failed for good; taken over by another process, so that nothing was
 * written; or given back because the collector stops.
 */
export type JobOutcome = 'completed' | 'retried' | 'failed' | 'lost' | 'released'

/** How a run of a job ended. */
export interface JobEnd {
  readonly outcome: JobOutcome
  /** What the handler, or the writing of its effects, threw. */
  readonly error?: unknown
}

/** Durations in milliseconds. */
export interface JobRunnerOptions {
  readonly store: TopicStore
  readonly clock: Clock
  readonly logger: Logger
  /**
   * Who holds the jobs. Jobs that this name held before {@link JobRunner.start} are taken back at once, so it must not be
   * in use elsewhere: constant where only one process can use the store, unique to the process where several do.
   */
  readonly owner: string
  /** Jobs at a time; 0: none of this stage here. */
  readonly concurrency?: Readonly<Partial<Record<JobStage, number>>>
  readonly lease: number
  /** How often to look for jobs that another process has added; absent: nobody else adds any. */
  readonly pollInterval?: number
  readonly rules: RetryRules
  /** How long jobs may take to end after {@link JobRunner.stop}. */
  readonly grace: number
  readonly keepCompleted?: number
  readonly keepFailed?: number
  readonly handle: JobHandler
  /** What an error of the handler makes of its job. */
  classify(error: unknown, job: ClaimedJob): Setback
  /** Wraps each run, for example in a span. */
  around?(job: ClaimedJob, run: () => Promise<JobEnd>): Promise<JobEnd>
  /** Told after each run, when all is written. */
  ended?(job: ClaimedJob, end: JobEnd): void
}

const DAY = 86_400_000

export const JOB_RUNNER_DEFAULTS = {
  concurrency: { EXTRACT: 4, ANALYZE: 2, GENERATE: 2 },
  keepCompleted: 7 * DAY,
  keepFailed: 30 * DAY,
} as const
