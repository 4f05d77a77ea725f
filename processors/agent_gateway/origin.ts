import { key, type Resource } from '#core/data'

const SERVICE = key('service.name')
/** What tells two processes or machines of one service apart, when both sides tell. */
const PLACES = [key('service.instance.id'), key('host.id'), key('host.name')]

/** Where telemetry comes from, as far as its resource tells. */
export interface Origin {
  readonly service: string
  readonly places: readonly (string | undefined)[]
}

/** The `service.name`, empty when there is none. */
export function serviceOf({ attributes }: Resource): string {
  return text(attributes.get(SERVICE)) ?? ''
}

export function originOf(resource: Resource): Origin {
  const { attributes } = resource
  return { service: serviceOf(resource), places: PLACES.map(place => text(attributes.get(place))) }
}

/** Whether two resources may be one: the same service, and nothing that both tell differs. */
export function mayBeOne(a: Origin, b: Origin): boolean {
  if (a.service !== b.service) return false
  return a.places.every((place, i) => place === undefined || b.places[i] === undefined || place === b.places[i])
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
