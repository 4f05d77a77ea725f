import type { Observation } from './observation.ts'
import type { LearnedSignal } from './walk.ts'

/** A part of a task's bytes: whole resource entries of one signal, one payload's. */
export interface Part {
  readonly signal: LearnedSignal
  readonly start: number
  readonly end: number
  readonly items: number
}

/** What a worker is asked to look at. */
export interface Task {
  /** Bytes of several payloads, one behind the other; handed over to the worker, which hands them back. */
  readonly buffer: ArrayBuffer
  readonly parts: readonly Part[]
  /** When it grows, the worker forgets what it has told. */
  readonly epoch: number
}

export interface TaskResult {
  readonly observation: Observation
  readonly buffer: ArrayBuffer
}

/** What every worker is told once. */
export interface WorkerSettings {
  /** Of all hashes. */
  readonly seed: number
}
