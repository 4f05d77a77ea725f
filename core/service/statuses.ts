import { type Clock, type InstanceId, mayFollow, type Status, type StatusEvent } from '#core/component'

export type StatusListener = (instance: InstanceId, event: StatusEvent) => void

/**
 * How every running component is, by the Collector's rules: moves that may not follow one another are ignored, repeats
 * of OK and RecoverableError are told again.
 */
export class Statuses {
  readonly #states = new Map<InstanceId, StatusEvent>()
  readonly #listeners = new Set<StatusListener>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns whether the move was a legal one */
  report(instance: InstanceId, status: Status, error?: Error): boolean {
    if (!mayFollow(this.#states.get(instance)?.status, status)) return false
    const event: StatusEvent = { status, time: this.#clock.now(), ...(error === undefined ? {} : { error }) }
    this.#states.set(instance, event)
    this.#tell(instance, event)
    return true
  }

  /** The present state, `undefined` before the first event and after `forget`. */
  statusOf(instance: InstanceId): Status | undefined {
    return this.#states.get(instance)?.status
  }

  /**
   * A running component now serves other pipelines: its old identity has stopped, its new one goes on in the same state.
   */
  move(from: InstanceId, to: InstanceId): void {
    const event = this.#states.get(from)
    if (event === undefined) return
    this.#states.delete(from)
    this.#states.set(to, event)
    this.#tell(from, { status: 'Stopped', time: this.#clock.now() })
    this.#tell(to, event)
  }

  /** The instance will not come back; whoever did not see it stop is told that it has. */
  forget(instance: InstanceId): void {
    const last = this.#states.get(instance)
    if (last === undefined) return
    this.#states.delete(instance)
    if (last.status !== 'Stopped') this.#tell(instance, { status: 'Stopped', time: this.#clock.now() })
  }

  /** Calls `listener` with the present states, then with every event. Returns how to stop it. */
  subscribe(listener: StatusListener): () => void {
    for (const [instance, event] of this.#states) listener(instance, event)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(instance: InstanceId, event: StatusEvent): void {
    for (const listener of [...this.#listeners]) listener(instance, event)
  }
}
