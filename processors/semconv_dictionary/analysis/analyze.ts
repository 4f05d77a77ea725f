import { Observer } from './observer.ts'
import type { Task, TaskResult } from './task.ts'
import { walk } from './walk.ts'

/** An analysis with a memory of its own: what a worker runs. */
export function createAnalysis(seed: number): (task: Task) => TaskResult {
  const observer = new Observer(seed)
  let epoch = 0
  return task => {
    if (task.epoch !== epoch) {
      epoch = task.epoch
      observer.forget()
    }
    let items = 0
    for (const part of task.parts) {
      walk(observer, part.signal, Buffer.from(task.buffer, part.start, part.end - part.start))
      items += part.items
    }
    return { observation: observer.take(task.parts.length, items), buffer: task.buffer }
  }
}
