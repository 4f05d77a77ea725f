/** The states of a component, as in the Collector's component status. */
export type Status = 'Starting' | 'OK' | 'RecoverableError' | 'PermanentError' | 'FatalError' | 'Stopping' | 'Stopped'

export interface StatusEvent {
  readonly status: Status
  readonly error?: Error
  /** Milliseconds since the Unix epoch. */
  readonly time: number
}

/** Who reports: one running component. */
export interface InstanceId {
  readonly kind: Kind
  /** As the user wrote it. */
  readonly id: string
  /** The pipelines it serves; empty for extensions. */
  readonly pipelines: readonly string[]
}

export type Kind = 'receiver' | 'processor' | 'exporter' | 'connector' | 'extension'

const NEXT: Record<Status, readonly Status[]> = {
  Starting: ['OK', 'RecoverableError', 'PermanentError', 'FatalError', 'Stopping'],
  OK: ['OK', 'RecoverableError', 'PermanentError', 'FatalError', 'Stopping'],
  RecoverableError: ['RecoverableError', 'OK', 'PermanentError', 'FatalError', 'Stopping'],
  PermanentError: ['Stopping'],
  FatalError: [],
  Stopping: ['RecoverableError', 'PermanentError', 'FatalError', 'Stopped'],
  Stopped: [],
}

/** Whether a component in state `from` (`undefined`: not started) may go to `to`. Illegal moves are ignored, as in the Collector. */
export function mayFollow(from: Status | undefined, to: Status): boolean {
  return from === undefined ? to === 'Starting' : NEXT[from].includes(to)
}
