import { join } from 'node:path'
import { expect, test } from 'vitest'
import { millrace } from '../../distributions/millrace/index.ts'

const { receivers, processors, exporters, connectors, extensions } = millrace
const definitions = [...receivers, ...processors, ...exporters, ...connectors, ...extensions]

test.each(definitions.map(each => [`${each.kind}s/${each.type}`, each] as const))('%s', async (folder, definition) => {
  const door = await import(join(import.meta.dirname, '../..', folder, 'index.ts'))
  const short = definition.type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(door[short], `export { … as ${short} }`).toBe(definition)
})
