import type { InstanceId, Status, StatusEvent } from './status.ts'

/** How a component is, and since when. */
export interface ComponentState {
  readonly instance: InstanceId
  readonly event: StatusEvent
}

/**
 * How the whole collector is, from the status events of its components, as `Host.onStatus` tells them. Components that
 * have stopped while others run do not count: they have been replaced or removed.
 */
export class StatusBoard {
  readonly #states = new Map<string, ComponentState>()

  /** Takes in an event. */
  record(instance: InstanceId, event: StatusEvent): void {
    this.#states.set(`${instance.kind} ${instance.id} ${instance.pipelines}`, { instance, event })
  }

  /** The latest event of every component that has not stopped, in the order in which they first appeared. */
  get components(): readonly ComponentState[] {
    return [...this.#states.values()].filter(({ event }) => event.status !== 'Stopped')
  }

  /**
   * The status of all components together: that of all if it is the same, else the first of fatal error, permanent
   * error, stopping, recoverable error and starting that some component is in. A pipeline nothing receives for yet is
   * starting. Source: opentelemetry-collector, docs/component-status.md, "Status Aggregation".
   */
  get status(): Status {
    const running = this.components
    if (running.length === 0) return this.#states.size === 0 ? 'Starting' : 'Stopped'
    const seen = new Set(running.map(({ event }) => event.status))
    for (const status of WORST_FIRST) if (seen.has(status)) return status
    return allReceive(running.map(({ instance }) => instance)) ? 'OK' : 'Starting'
  }
}

const WORST_FIRST: readonly Status[] = ['FatalError', 'PermanentError', 'Stopping', 'RecoverableError', 'Starting']
const FEEDERS: ReadonlySet<string> = new Set(['receiver', 'connector'])

/** Receivers start last, so a pipeline that has one is complete. */
function allReceive(instances: readonly InstanceId[]): boolean {
  const fed = new Set(instances.filter(({ kind }) => FEEDERS.has(kind)).flatMap(({ pipelines }) => pipelines))
  return fed.size > 0 && instances.every(({ pipelines }) => pipelines.every(pipeline => fed.has(pipeline)))
}
