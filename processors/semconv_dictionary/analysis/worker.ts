/**
 * The entry of a worker thread: piscina calls {@link analyze} with each task.
 * @module
 */
import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { createAnalysis } from './analyze.ts'
import type { Task, TaskResult, WorkerSettings } from './task.ts'
import { yieldToOthers } from './yield-to-others.ts'

yieldToOthers()
const run = createAnalysis((workerData as WorkerSettings).seed)

/** Looks at the bytes of a task and hands back what it saw together with the bytes, neither of them copied. */
export function analyze(task: Task): unknown {
  return handOver(run(task))
}

function handOver(result: TaskResult): unknown {
  const { rows, hashes, usage } = result.observation
  return move({
    [transferableSymbol]: [result.buffer, rows.buffer, hashes.buffer, usage.buffer],
    [valueSymbol]: result,
  } as unknown as Parameters<typeof move>[0])
}
