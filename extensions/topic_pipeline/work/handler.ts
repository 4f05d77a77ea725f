import type { ClaimedJob } from '../model/job.ts'
import type { Tables } from '../store/store.ts'

/** Writes what a job did. Runs in the transaction that ends the job, and only if the job is still ours. */
export type Effects = (tables: Tables) => Promise<void>

/** Does the slow part of a job. What it throws is judged by `setbackOf`. */
export type Handler = (job: ClaimedJob, signal: AbortSignal) => Promise<Effects>

/** A job whose work is done already, or whose topic is gone. */
export const NOTHING: Effects = async () => {}
