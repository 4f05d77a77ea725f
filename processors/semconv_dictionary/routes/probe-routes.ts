import { type Host, type Readiness, type Route, StatusBoard, type StatusEvent } from '#core/component'
import { COUNT, list, object, TEXT } from './schemas.ts'
import type { View } from './view.ts'

interface Health {
  readonly name: 'dictionary' | 'receiver' | 'api' | 'storage'
  readonly status: Readiness
  readonly detail?: string
}

/** The probes in the words of the semantic-convention proxy, in the place of those of the `api` extension. */
export function probeRoutes(view: View): Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      replaces: true,
      summary: 'Whether the process is alive',
      responses: { 200: { description: 'It is', schema: object({ status: { const: 'alive' } }) } },
      handle: () => ({ body: { status: 'alive' } }),
    },
    {
      method: 'GET',
      path: '/readyz',
      replaces: true,
      summary: 'Whether the dictionary is loaded and telemetry is received',
      responses: {
        200: {
          description: 'Ready; parts may be DEGRADED',
          schema: object({ status: TEXT, dictionary_entries: COUNT }),
        },
        503: {
          description: 'Not yet, or not any more',
          schema: object({
            status: TEXT,
            dictionary_entries: COUNT,
            components: list(object({ name: TEXT, status: TEXT, detail: TEXT }, ['detail'])),
          }),
        },
      },
      handle() {
        const components = healthOf(view)
        const ready = components.every(({ status }) => status === 'OK' || status === 'DEGRADED')
        const dictionary_entries = view.dictionary.size
        if (!ready) return { status: 503, body: { status: 'loading', dictionary_entries, components } }
        const degraded = components.filter(({ status }) => status === 'DEGRADED')
        return { body: { status: 'ready', dictionary_entries, ...(degraded.length > 0 ? { components } : {}) } }
      },
    },
  ]
}

function healthOf(view: View): Health[] {
  const { state, detail } =
    view.config.storage === undefined ? { state: 'OK' as const, detail: undefined } : view.keeper.state
  return [
    { name: 'dictionary', status: view.loaded ? 'OK' : 'STARTING' },
    { name: 'receiver', ...receiverHealth(view.host) },
    { name: 'api', status: 'OK' },
    { name: 'storage', status: state, ...(detail === undefined ? {} : { detail }) },
  ]
}

const READINESS: Readonly<Record<StatusEvent['status'], Readiness>> = {
  Starting: 'STARTING',
  OK: 'OK',
  RecoverableError: 'DEGRADED',
  PermanentError: 'FAILED',
  FatalError: 'FAILED',
  Stopping: 'FAILED',
  Stopped: 'FAILED',
}
const WORST_FIRST: readonly Readiness[] = ['FAILED', 'STARTING', 'DEGRADED', 'OK']

/** The worst of all receivers; starting while there is none. */
function receiverHealth(host: Host | undefined): { readonly status: Readiness } {
  const board = new StatusBoard()
  host?.onStatus((instance, event) => board.record(instance, event))()
  const states = board.components
    .filter(({ instance }) => instance.kind === 'receiver')
    .map(({ event }) => READINESS[event.status])
  return { status: states.length === 0 ? 'STARTING' : WORST_FIRST.find(state => states.includes(state))! }
}
