import type { InstanceId, Readiness, ReadinessPart, Status, StatusEvent } from '#core/component'
import type { CollectorState } from './collector-state.ts'
import type { StatusBoard } from './status-board.ts'

/**
 * The part of `/readyz` that is about the collector itself: STARTING until every component has started, FAILED once it
 * is shutting down or a component has failed fatally, DEGRADED while a component reports an error.
 */
export function pipelinesReadiness(board: StatusBoard, state: () => CollectorState): ReadinessPart {
  return {
    name: 'pipelines',
    read() {
      const now = state()
      if (now === 'Starting') return { state: 'STARTING' }
      if (now !== 'Running') return { state: 'FAILED', detail: 'The collector is shutting down' }
      const troubled = [...board.states()].filter(([, { status }]) => READINESS[status] !== undefined)
      if (troubled.length === 0) return { state: 'OK' }
      const fatal = troubled.some(([, { status }]) => READINESS[status] === 'FAILED')
      return { state: fatal ? 'FAILED' : 'DEGRADED', detail: troubled.map(describe).join('; ') }
    },
  }
}

const READINESS: { readonly [S in Status]?: Readiness } = {
  RecoverableError: 'DEGRADED',
  PermanentError: 'DEGRADED',
  FatalError: 'FAILED',
}

function describe([{ kind, id }, { status, error }]: readonly [InstanceId, StatusEvent]): string {
  return `${kind} "${id}": ${error?.message ?? status}`
}
