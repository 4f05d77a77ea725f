import { describe, expect, test } from 'vitest'
import { check, fromPlain, redactSchema, type Schema } from '#core/config'
import { telemetrySchema } from '../core/service/telemetry/schema.ts'
import { millrace } from '../distributions/millrace/index.ts'

/** An option of a component, and where it stands: `[]` for an element of a list, `{}` for a value of a map. */
interface Declared {
  readonly path: readonly string[]
  readonly schema: Schema<unknown>
}

function* optionsWithin(schema: Schema<unknown>, path: readonly string[] = []): Iterable<Declared> {
  const { properties, items, additionalProperties } = schema as Readonly<Record<string, object | undefined>>
  for (const [name, option] of Object.entries(properties ?? {}))
    yield* optionsWithin(option as Schema<unknown>, [...path, name])
  if (items) yield* optionsWithin(items as Schema<unknown>, [...path, '[]'])
  if (typeof additionalProperties === 'object')
    yield* optionsWithin(additionalProperties as Schema<unknown>, [...path, '{}'])
  if (properties === undefined) yield { path, schema }
}

const SECTIONS: readonly (readonly [string, Schema<unknown>])[] = [
  ...[millrace.receivers, millrace.processors, millrace.exporters, millrace.connectors, millrace.extensions].flatMap(
    definitions => definitions.map(({ kind, type, config }) => [`${kind} ${type}`, config] as const),
  ),
  ['service::telemetry', telemetrySchema],
]
const OPTIONS = SECTIONS.flatMap(([owner, schema]) =>
  [...optionsWithin(schema)].map(option => ({ owner, root: schema, ...option })),
)
const SECRETS = OPTIONS.filter(({ schema }) => schema.secret === true)

/** `value` at `path`, with what is around it. */
function at(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, name) => (name === '[]' ? [inner] : name === '{}' ? { name: inner } : { [name]: inner }),
    value,
  )
}

test('there are secrets to keep', () => {
  expect(SECRETS.length).toBeGreaterThan(30)
})

test('an option whose name says that it is secret is one', () => {
  const sounding = OPTIONS.filter(
    ({ path, schema }) =>
      /(password|passphrase|secret|token|api_?key|_pem|credentials?)s?(,|$)/.test(path.join()) &&
      schema.type === 'string',
  )
  expect(sounding.length).toBeGreaterThan(20)
  expect(
    sounding.filter(({ schema }) => schema.secret !== true).map(({ owner, path }) => `${owner} ${path.join('::')}`),
  ).toEqual([])
})

const WRONG: [what: string, value: unknown][] = [
  ['a list', ['marked-secret']],
  ['a list of lists', [['marked-secret']]],
  ['a map', { name: 'marked-secret' }],
  ['a map of maps', { name: { value: 'marked-secret' } }],
  ['a number', 1234567890123],
  ['a fraction', 1234567890.123],
]

describe('a secret option that is given', () => {
  test.each(WRONG)('%s is a fault that does not quote it', (_, value) => {
    for (const { root, path } of SECRETS) {
      const { faults = [] } = check(root, fromPlain(at(path, value)))
      const told = JSON.stringify(faults)
      expect(told, path.join('::')).not.toMatch(/marked-secret|1234567890/)
    }
  })

  test('a text is printed as [REDACTED] only', () => {
    let printed = 0
    for (const { root, path } of SECRETS) {
      const checked = check(root, fromPlain(at(path, 'marked-secret')))
      if (checked.faults !== undefined) continue
      expect(JSON.stringify(redactSchema(root, checked.value)), path.join('::')).not.toContain('marked-secret')
      printed++
    }
    expect(printed).toBeGreaterThan(20)
  })
})
