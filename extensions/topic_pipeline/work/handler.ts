import type { Effects } from '../jobs/job-runner-options.ts'

/** A job whose work is done already, or whose topic is gone. */
export const NOTHING: Effects = async () => {}
