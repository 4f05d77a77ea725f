/** One look at one source for one category. Times in milliseconds since the Unix epoch. */
export interface ScanRun {
  readonly id: number
  readonly categoryId: number | null
  readonly categoryName: string | null
  readonly source: string
  /** `SKIPPED`: the source has no credentials, is paused, or its quota is used up; `errorDetails` says which. */
  readonly status: 'RUNNING' | 'COMPLETED' | 'SKIPPED' | 'FAILED'
  readonly topicsFound: number
  readonly topicsNew: number
  readonly errors: number
  readonly errorDetails: string | null
  readonly requests: number
  readonly notModified: number
  readonly quotaRemaining: number | null
  readonly startedAt: number
  readonly completedAt: number | null
}

export type ScanOutcome = Pick<
  ScanRun,
  'status' | 'topicsFound' | 'topicsNew' | 'errors' | 'errorDetails' | 'requests' | 'notModified' | 'quotaRemaining'
>
