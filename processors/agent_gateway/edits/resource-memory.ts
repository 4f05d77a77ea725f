import type { Clock } from '#core/component'
import { type Draft, key, type Value } from '#core/data'
import { mayBeOne, type Origin, originOf } from '../origin.ts'

/** Services remembered; the one heard of longest ago is forgotten first. */
const MOST_SERVICES = 100
/** Machines or instances remembered of one service. */
const MOST_PLACES = 8
/** Attributes remembered of one of them. */
const MOST_ATTRIBUTES = 64
/** Milliseconds after which one that nothing more was heard of has gone: the gateway exports metrics once a minute. */
const GONE_AFTER = 10 * 60_000

const SERVICE = key('service.name')

interface Place {
  readonly origin: Origin
  readonly attributes: ReadonlyMap<string, Value>
  /** On the monotonic clock. */
  readonly seen: number
}

/**
 * The resource attributes that a service's traces and metrics have, for its log records, which have none but the name.
 * Shared by all instances of a processor.
 */
export class ResourceMemory {
  readonly #clock: Clock
  readonly #services = new Map<string, readonly Place[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Remembers the resources of traces or metrics, as they are after what must not leave was taken out. */
  learn(draft: Draft): void {
    for (const resource of draft.resources()) {
      const origin = originOf(resource)
      if (origin.service === '') continue
      const places = this.#services.get(origin.service) ?? []
      const same = places.find(place => mayBeOne(place.origin, origin))
      const place = {
        origin:
          same === undefined ? origin : { ...origin, places: same.origin.places.map((p, i) => p ?? origin.places[i]) },
        attributes: attributesOf([...(same?.attributes ?? []), ...resource.attributes]),
        seen: this.#clock.monotonic(),
      }
      const others = places.filter(other => other !== same && place.seen - other.seen < GONE_AFTER)
      this.#services.delete(origin.service)
      this.#services.set(origin.service, [place, ...others].slice(0, MOST_PLACES))
      if (this.#services.size > MOST_SERVICES) this.#services.delete(this.#services.keys().next().value!)
    }
  }

  /**
   * Adds to the resources of logs what they do not say themselves. Nothing is added where several machines or instances
   * bear the name and the record does not say which one it is from.
   */
  complete(draft: Draft<'logs'>): void {
    for (const resource of draft.resources()) {
      const service = resource.attributes.get(SERVICE)
      if (typeof service !== 'string') continue
      const origin = originOf(resource)
      const places = (this.#services.get(service) ?? []).filter(place => mayBeOne(place.origin, origin))
      if (places.length !== 1) continue
      for (const [name, value] of places[0]!.attributes) resource.attributes.insert(name, value)
    }
  }
}

/** Copies, so that no payload is kept for the sake of a few bytes. */
function attributesOf(attributes: Iterable<[string, Value]>): ReadonlyMap<string, Value> {
  const copy = new Map<string, Value>()
  for (const [name, value] of attributes) {
    if (copy.size === MOST_ATTRIBUTES && !copy.has(name)) continue
    copy.set(name, value instanceof Uint8Array ? Uint8Array.from(value) : value)
  }
  return copy
}
