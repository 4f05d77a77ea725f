import { hash } from 'node:crypto'
import type { Attributes, DataPoint, Metric, Resource, Value } from '#core/data'

/**
 * Which series a data point belongs to: resource, scope, metric, type of number, attributes and start time, whatever the
 * order of attributes. A source that restarts begins a series of its own, and two sources that differ in nothing but when
 * they started are kept apart. One reader for each payload: it holds on to the payload's bytes.
 */
export class IdentityReader {
  #bytes: Uint8Array | undefined
  #resource = ''

  /** What the series of a metric have in common. */
  ofMetric(metric: Metric): string {
    const { scope } = metric
    const own = [metric.name, metric.unit, metric.type, metric.monotonic, scope.name, scope.version, scope.schemaUrl]
    return digest(`${this.#ofResource(metric.resource)}\n${JSON.stringify(own)}\n${textOf(scope.attributes)}`)
  }

  /** @param metric from `ofMetric` */
  ofPoint(metric: string, point: DataPoint): string {
    const number = typeof point.value === 'bigint' ? 'i' : 'd'
    return digest(`${metric}${number}${point.startTime}\n${textOf(point.attributes)}`)
  }

  /** Metrics of one resource follow one another. */
  #ofResource({ bytes, attributes }: Resource): string {
    const last = this.#bytes
    if (last?.buffer !== bytes.buffer || last.byteOffset !== bytes.byteOffset || last.length !== bytes.length) {
      this.#bytes = bytes
      this.#resource = textOf(attributes)
    }
    return this.#resource
  }
}

/** 132 bits, as many as make a coincidence of two series impossible in practice. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/** Attributes in an order of their own. Of several with one name the first counts. */
function textOf(attributes: Attributes): string {
  const texts = new Map<string, string>()
  for (const [name, value] of attributes) {
    if (texts.has(name)) continue
    const kind = typeof value === 'number' ? attributes.kind(name) : ''
    texts.set(name, `${JSON.stringify(name)}:${kind}${valueText(value)}`)
  }
  return [...texts.values()].sort().join()
}

function valueText(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `int${value}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `[${value.map(valueText).join()}]`
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${valueText(each)}`)
  return `{${members.sort().join()}}`
}
