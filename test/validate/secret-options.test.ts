import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { elementOf, kindOf, optionsOf, type Schema } from '#core/config'
import { tempDir } from '#core/testing'
import { cli } from '../../core/service/cli/cli.test-support.ts'
import { millrace } from '../../distributions/millrace/index.ts'

/** Values as they would be written, each with one secret in it. */
function* withSecret(schema: Schema<unknown>): Iterable<unknown> {
  switch (kindOf(schema)) {
    case 'section':
      for (const [name, option] of Object.entries(optionsOf(schema))) {
        for (const value of withSecret(option)) yield { [name]: value }
      }
      return
    case 'list':
      for (const value of withSecret(elementOf(schema))) yield [value]
      return
    case 'map':
      for (const value of withSecret(elementOf(schema))) yield { name: value }
      return
    case 'headers':
      yield { 'x-a': 'hunter2' }
      yield [{ name: 'x-a', value: 'hunter2' }]
      yield 'hunter2'
      return
    default:
      if (schema.secret === true) yield* ['hunter2', ['hunter2'], { hunter2: 1 }, { a: { b: 'hunter2' } }]
  }
}

const sections = ['receivers', 'processors', 'exporters', 'connectors', 'extensions'] as const
const CASES = sections.flatMap(section =>
  millrace[section].flatMap(({ type, config }) =>
    [...withSecret(config as Schema<unknown>)].map(value => [`${section}/${type}`, section, type, value] as const),
  ),
)

describe('a line with a secret is shown without it, whichever option of ours holds it', () => {
  test('there are many', () => expect(CASES.length).toBeGreaterThan(100))

  test('in whatever shape it was written', async () => {
    await using dir = await tempDir()
    const path = dir.file('c.yaml')
    for (const [, section, type, value] of CASES) {
      // An unknown option on the same line has that line shown; both ends, since long lines are cut.
      const options = { unknown1: 1, ...(value as object), unknown2: 2 }
      writeFileSync(path, `${section}: { ${type}: ${JSON.stringify(options)} }\n`)
      const { code, err } = await cli(['validate', '--config', path], { distribution: millrace })
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('has invalid keys: unknown2') })
      expect(err).not.toContain('hunter2')
      expect(err).toContain('^^^^')
    }
  })
})
