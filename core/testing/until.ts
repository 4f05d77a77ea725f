import { setTimeout } from 'node:timers/promises'

/**
 * Resolves as soon as `condition` holds; for what the outer world decides (sockets, files, other processes).
 * @throws {Error} naming `what` when it does not hold within `timeout` milliseconds
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  options: { readonly timeout?: number; readonly what?: string } = {},
): Promise<void> {
  const { timeout = 10_000, what = condition.toString() } = options
  const deadline = performance.now() + timeout
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeout} ms in vain for: ${what}`)
    await setTimeout(2)
  }
}
