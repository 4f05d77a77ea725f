import { parentPort } from 'node:worker_threads'
import type { Answer } from './thread.ts'

/** Answers the calls of a {@link import('./thread.ts').Thread}, one after the other. */
export function serve<Call, Result>(answer: (call: Call) => Result): void {
  parentPort?.on('message', ({ id, call }: { id: number; call: Call }) => {
    parentPort?.postMessage(answered(id, () => answer(call)))
  })
}

function answered<Result>(id: number, run: () => Result): Answer<Result> {
  try {
    return { id, result: run() }
  } catch (cause) {
    const { message, errcode } = cause as Error & { errcode?: number }
    return { id, error: { message, code: errcode ?? 0 } }
  }
}
