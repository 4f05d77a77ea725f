import type { InstanceId, Status, StatusEvent } from '#core/component'

/**
 * How the whole collector is, from the status events of its components. Components that have stopped while others run
 * do not count: they have been replaced or removed.
 */
export class Health {
  readonly #states = new Map<string, { readonly instance: InstanceId; readonly status: Status }>()

  /** Takes in an event. */
  record(instance: InstanceId, { status }: StatusEvent): void {
    this.#states.set(`${instance.kind} ${instance.id} ${instance.pipelines}`, { instance, status })
  }

  /**
   * The status of all components together: that of all if it is the same, else the first of fatal error, permanent
   * error, stopping, recoverable error and starting that some component is in. A pipeline nothing receives for yet is
   * starting. Source: opentelemetry-collector, docs/component-status.md, "Status Aggregation".
   */
  get status(): Status {
    const all = [...this.#states.values()]
    const running = all.filter(({ status }) => status !== 'Stopped')
    if (running.length === 0) return all.length === 0 ? 'Starting' : 'Stopped'
    const seen = new Set(running.map(({ status }) => status))
    for (const status of WORST_FIRST) if (seen.has(status)) return status
    return this.#allReceive(running.map(({ instance }) => instance)) ? 'OK' : 'Starting'
  }

  #allReceive(instances: readonly InstanceId[]): boolean {
    const fed = new Set(instances.filter(({ kind }) => FEEDERS.has(kind)).flatMap(({ pipelines }) => pipelines))
    return instances.every(({ pipelines }) => pipelines.every(pipeline => fed.has(pipeline))) && fed.size > 0
  }
}

const WORST_FIRST: readonly Status[] = ['FatalError', 'PermanentError', 'Stopping', 'RecoverableError', 'Starting']
const FEEDERS: ReadonlySet<string> = new Set(['receiver', 'connector'])

/** Errors of components do not make a collector unhealthy: it does what it can. As in the Collector. */
export function isHealthy(status: Status): boolean {
  return status === 'OK' || status === 'RecoverableError' || status === 'PermanentError'
}
