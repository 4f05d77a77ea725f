import type { JobStage, JobStatus, OutputFormat } from './stages.ts'

/** What a GENERATE job is to write. One of `topicId` and `groupId` is set. */
export interface GenerationOrder {
  readonly topicId: number | null
  readonly groupId: string | null
  readonly format: OutputFormat
  /** The draft that feedback is about. */
  readonly parentId?: number
  readonly feedback?: string
}

/** A piece of work that outlives the process. Times in milliseconds since the Unix epoch. */
export interface Job {
  readonly id: number
  readonly stage: JobStage
  readonly status: JobStatus
  readonly topicId: number | null
  readonly order: GenerationOrder | null
  /** Failures so far; a pause of the source is none. */
  readonly attempts: number
  /** Leases that ran out so far: the process died or stood still. */
  readonly stalls: number
  readonly runAt: number
  readonly leaseUntil: number | null
  /** Grows with each claim: who holds an older one may no longer write. */
  readonly fence: number
  readonly owner: string | null
  readonly errorMessage: string | null
  /** W3C `traceparent` of what asked for the job. */
  readonly traceparent: string | null
  readonly createdAt: number
  readonly completedAt: number | null
}

/** A job that this process holds until `leaseUntil`. */
export interface ClaimedJob extends Job {
  readonly status: 'PROCESSING'
  readonly leaseUntil: number
}

/** What becomes of a job that did not finish. */
export type Setback =
  /** Again after a growing pause, at most `max_attempts` times, then FAILED. */
  | { readonly kind: 'retry'; readonly message: string; readonly notBefore?: number }
  /** Not the job's fault: again at `notBefore`, and the attempt is not counted. */
  | { readonly kind: 'paused'; readonly message: string; readonly notBefore: number }
  /** FAILED at once. */
  | { readonly kind: 'permanent'; readonly message: string }
