import { formatDuration } from './duration.ts'
import { setOwn } from './node.ts'
import { REDACTED } from './redacted.ts'
import type { Schema } from './schema.ts'
import { elementOf, kindOf, optionsOf } from './schema-kind.ts'

/**
 * Turns a received value back into what a user would write, defaults included, and puts `[REDACTED]` in place of every
 * secret and every password in a URL: durations are texts, headers a list sorted by name. Sections that are off are left
 * out, or say `enabled: false` where leaving them out would switch them on.
 * @param value what {@link check} gave for `schema`
 */
export function redactSchema(schema: Schema<unknown>, value: unknown): unknown {
  return writtenForm(schema, value)
}

/** How {@link writtenForm} writes. */
export interface WrittenFormOptions {
  /** Default `redacted`; `shown` is for whoever asks for them by name. */
  readonly secrets?: 'redacted' | 'shown'
  /** Default `text`; `nanoseconds` as in the Collector's JSON, which reads back just as well. */
  readonly durations?: 'text' | 'nanoseconds'
  /** Default `list`, as the Collector prints them. */
  readonly headers?: 'list' | 'map'
}

/** As {@link redactSchema}, with choices. */
export function writtenForm(schema: Schema<unknown>, value: unknown, options: WrittenFormOptions = {}): unknown {
  if (value === undefined) return schema.switchable === true && schema.default !== undefined ? OFF : undefined
  if (value === null) return null
  if (schema.secret === true && options.secrets !== 'shown') return REDACTED
  const form = (element: Schema<unknown>, item: unknown) => writtenForm(element, item, options)
  switch (kindOf(schema)) {
    case 'section':
      return mapValues(value, (name, item) => form(optionsOf(schema)[name] ?? {}, item), Object.keys(optionsOf(schema)))
    case 'map':
      return mapValues(value, (_, item) => form(elementOf(schema), item), Object.keys(value))
    case 'headers': {
      const names = Object.keys(value).toSorted()
      const headers = mapValues(value, (_, item) => form(elementOf(schema), item), names)
      return options.headers === 'map'
        ? headers
        : Object.entries(headers).map(([name, item]) => ({ name, value: item }))
    }
    case 'list':
      return (value as readonly unknown[]).map(item => form(elementOf(schema), item))
    case 'duration':
      return options.durations === 'nanoseconds' ? Math.round((value as number) * 1e6) : formatDuration(value as number)
    default:
      return options.secrets === 'shown' ? value : withoutPassword(value)
  }
}

/** A URL may have a password in it, `scheme://user:password@host`. */
const PASSWORD = /^([a-z][a-z\d+.-]*:\/\/[^/?#:@]*):[^/?#]*@/i

function withoutPassword(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(PASSWORD, `$1:${REDACTED}@`) : value
}

const OFF = Object.freeze({ enabled: false })

function mapValues(value: object, form: (name: string, item: unknown) => unknown, names: readonly string[]): object {
  const written: Record<string, unknown> = {}
  for (const name of names) {
    const item = form(name, (value as Record<string, unknown>)[name])
    if (item !== undefined) setOwn(written, name, item)
  }
  return written
}
