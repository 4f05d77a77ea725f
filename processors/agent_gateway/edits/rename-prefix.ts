import type { Attributes, Draft } from '#core/data'
import type { AgentGatewayConfig } from '../config.ts'

/** Puts another prefix in place of the gateway's. Names that only begin alike, such as `openclawed`, are left. */
export class PrefixRenamer {
  readonly #from: string
  readonly #metricFrom: string
  readonly #to: string

  constructor({ prefix, metric_prefix, rename_prefix }: AgentGatewayConfig) {
    this.#from = `${prefix}.`
    this.#metricFrom = `${metric_prefix === '' ? prefix : metric_prefix}.`
    this.#to = `${rename_prefix}.`
  }

  /** Names of spans, their attributes and those of their events and links. */
  spans(draft: Draft<'traces'>): void {
    for (const span of draft.spans()) {
      const { name, attributes } = span
      if (name.startsWith(this.#from)) span.name = this.#renamed(name, this.#from)
      this.#attributes(attributes)
      for (const event of span.events) this.#attributes(event.attributes)
      for (const link of span.links) this.#attributes(link.attributes)
    }
    this.#resources(draft)
  }

  /** Names of metrics, and attributes of their points and exemplars. */
  metrics(draft: Draft<'metrics'>): void {
    for (const metric of draft.metrics()) {
      const { name } = metric
      if (name.startsWith(this.#metricFrom)) metric.name = this.#renamed(name, this.#metricFrom)
      for (const point of metric.points) {
        this.#attributes(point.attributes)
        for (const exemplar of point.exemplars) this.#attributes(exemplar.filteredAttributes)
      }
    }
    this.#resources(draft)
  }

  /** Attributes of log records, names of events, and bodies that are such names: no blanks, nothing but words and dots. */
  logs(draft: Draft<'logs'>): void {
    for (const log of draft.logs()) {
      const { body, eventName } = log
      if (typeof body === 'string' && body.startsWith(this.#from) && EVENT_NAME.test(body)) {
        log.body = this.#renamed(body, this.#from)
      }
      if (eventName.startsWith(this.#from)) log.eventName = this.#renamed(eventName, this.#from)
      this.#attributes(log.attributes)
    }
    this.#resources(draft)
  }

  #resources(draft: Draft): void {
    for (const { attributes } of draft.resources()) this.#attributes(attributes)
  }

  #attributes(attributes: Attributes): void {
    // Renaming while walking would meet the renamed ones again.
    let found: string[] | undefined
    for (const [name] of attributes) {
      if (!name.startsWith(this.#from)) continue
      found ??= []
      found.push(name)
    }
    for (const name of found ?? []) attributes.rename(name, this.#renamed(name, this.#from))
  }

  #renamed(name: string, from: string): string {
    return this.#to + name.slice(from.length)
  }
}

const EVENT_NAME = /^[\w-]+(\.[\w-]+)+$/
