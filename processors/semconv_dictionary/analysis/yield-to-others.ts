import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** How much less urgent than forwarding: the scheduler gives such a thread about a tenth of what it gives others. */
const NICENESS = 10

/**
 * Makes the calling thread give way where processors are scarce. On Linux a thread has a priority of its own and can be
 * named by its id; elsewhere, and where that is forbidden, nothing happens.
 */
export function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS)
  } catch {
    // An analysis that is as urgent as everything else is no failure.
  }
}
