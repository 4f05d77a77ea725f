import { formatDuration } from './duration.ts'
import { setOwn } from './node.ts'
import type { Schema } from './schema.ts'
import { elementOf, kindOf, optionsOf } from './schema-kind.ts'

/** What stands for every secret in all output. */
export const REDACTED = '[REDACTED]'

/**
 * Turns a received value back into what a user would write, defaults included, and puts `[REDACTED]` in place of every
 * secret: durations are texts, headers a list sorted by name. Sections that are off are left out, or say
 * `enabled: false` where leaving them out would switch them on.
 * @param value what {@link check} gave for `schema`
 */
export function redactSchema(schema: Schema<unknown>, value: unknown): unknown {
  return writtenForm(schema, value, 'redacted')
}

/** As {@link redactSchema}, with the choice to show secrets to whoever asks for them by name. */
export function writtenForm(schema: Schema<unknown>, value: unknown, secrets: 'redacted' | 'shown'): unknown {
  if (value === undefined) return schema.switchable === true && schema.default !== undefined ? OFF : undefined
  if (value === null) return null
  if (schema.secret === true && secrets === 'redacted') return REDACTED
  const form = (element: Schema<unknown>, item: unknown) => writtenForm(element, item, secrets)
  switch (kindOf(schema)) {
    case 'section':
      return mapValues(value, (name, item) => form(optionsOf(schema)[name] ?? {}, item), Object.keys(optionsOf(schema)))
    case 'map':
      return mapValues(value, (_, item) => form(elementOf(schema), item), Object.keys(value))
    case 'headers':
      return Object.keys(value)
        .toSorted()
        .map(name => ({ name, value: form(elementOf(schema), (value as Record<string, unknown>)[name]) }))
    case 'list':
      return (value as readonly unknown[]).map(item => form(elementOf(schema), item))
    case 'duration':
      return formatDuration(value as number)
    default:
      return value
  }
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
