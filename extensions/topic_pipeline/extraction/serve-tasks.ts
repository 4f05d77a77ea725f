import { createWriteStream } from 'node:fs'
import { Script } from 'node:vm'
import { FrameReader, frameOf } from './frames.ts'
import type { Order, Outcome } from './reading.ts'

/** Where outcomes go. Standard output is for nobody: a library may write to it. */
export const OUTCOMES = 3

/** What can be asked for, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each takes a task of its own type, which the other side knows
export type Tasks = Readonly<Record<string, (task: any) => unknown>>

/**
 * Answers orders that come in on standard input, one after the other, until that ends: with the parent, however it ended.
 * A task that takes too long is broken off in the middle, so that this process never outlives its parent for long.
 */
export function serveTasks(tasks: Tasks): void {
  const frames = new FrameReader()
  const outcomes = createWriteStream('', { fd: OUTCOMES })
  process.stdin.on('data', (piece: Buffer) => {
    for (const order of frames.push(piece)) outcomes.write(frameOf(outcomeOf(order as Order, tasks)))
  })
}

function outcomeOf({ name, task, timeout }: Order, tasks: Tasks): Outcome<unknown> {
  try {
    return withinTime(() => tasks[name]!(task), timeout) as Outcome<unknown>
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { late: true }
    return { fault: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

const SLOT = Symbol.for('millrace.reading')
const CALL = new Script(`globalThis[Symbol.for('millrace.reading')]()`)

/** Node breaks a script off when its time is over, whatever it does; nothing else is broken off but by ending the process. */
function withinTime(run: () => unknown, timeout: number): unknown {
  const slots = globalThis as unknown as Record<symbol, unknown>
  slots[SLOT] = run
  return CALL.runInThisContext({ timeout })
}
