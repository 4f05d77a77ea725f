/** What the process says to whoever started it. */
export const ExitCode = {
  /** Everything was done, or the collector ended because it was asked to. */
  Ok: 0,
  /** The configuration cannot be used, the collector could not start, or a command failed. */
  Failure: 1,
  /** The command line is wrong. */
  Usage: 2,
  /** A component failed while the collector was running, so that it ended. */
  Fatal: 3,
  /** The collector ended, but a component failed to stop or did not finish before the deadline. */
  Unclean: 4,
} as const

/** The code of a process that a second signal ended at once, as shells count: 128 and the number of the signal. */
export function exitCodeOf(signal: 'SIGINT' | 'SIGTERM'): number {
  return 128 + { SIGINT: 2, SIGTERM: 15 }[signal]
}
