import type { ComponentState, Readiness, ReadinessPart, Status, StatusBoard } from '#core/component'

/** One line of the answer of `/readyz`. */
export interface PartState {
  readonly name: string
  readonly state: Readiness
  readonly detail?: string
}

export interface ReadinessAnswer {
  readonly status: Readiness
  readonly components: readonly PartState[]
}

/** Puts together how the components are and what their own parts say: the worst of all is the whole. */
export function readinessOf(board: StatusBoard, parts: readonly ReadinessPart[]): ReadinessAnswer {
  const components = [...board.components.map(componentPart), ...parts.map(read)]
  const states = new Set([READINESS[board.status], ...components.map(({ state }) => state)])
  return { status: WORST_FIRST.find(state => states.has(state)) ?? 'OK', components }
}

/** Whether requests should come here. */
export function isReady(status: Readiness): boolean {
  return status === 'OK' || status === 'DEGRADED'
}

/** Whether components are about to come or to go, as at a reload. */
export function isChanging(board: StatusBoard): boolean {
  return board.components.some(({ event }) => CHANGING.has(event.status))
}

const CHANGING: ReadonlySet<Status> = new Set(['Starting', 'Stopping'])

const WORST_FIRST: readonly Readiness[] = ['FAILED', 'STARTING', 'DEGRADED', 'OK']

/** A component that has an error leaves the others working; one that stops will not come back. */
const READINESS: Readonly<Record<Status, Readiness>> = {
  Starting: 'STARTING',
  OK: 'OK',
  RecoverableError: 'DEGRADED',
  PermanentError: 'DEGRADED',
  FatalError: 'FAILED',
  Stopping: 'FAILED',
  Stopped: 'FAILED',
}

function componentPart({ instance, event }: ComponentState): PartState {
  const { kind, id, pipelines } = instance
  const at = kind === 'processor' && pipelines.length > 0 ? ` in ${pipelines.join(', ')}` : ''
  const detail = event.error?.message ?? (event.status === 'Stopping' ? 'Stopping' : undefined)
  return { name: `${kind} ${id}${at}`, state: READINESS[event.status], ...(detail === undefined ? {} : { detail }) }
}

/** A part that cannot tell how it is has failed. */
function read(part: ReadinessPart): PartState {
  try {
    return { name: part.name, ...part.read() }
  } catch (error) {
    return { name: part.name, state: 'FAILED', detail: error instanceof Error ? error.message : String(error) }
  }
}
