import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Definition, Distribution, InstrumentDeclaration } from '#core/component'
import { optionTable } from '#core/config'
import { instrumentsOf, instrumentTable } from './instrument-table.ts'

/** A README and what it should be. */
export interface Readme {
  readonly path: string
  readonly written: string
  readonly wanted: string
}

/**
 * The READMEs of a distribution's components below `root`, `<kind>s/<type>/README.md`, with their generated tables as
 * they should be, and those beside components from files. Components that have none are left out.
 */
export async function readmesOf(distribution: Distribution, root: string): Promise<readonly Readme[]> {
  const { receivers, processors, exporters, connectors, extensions } = distribution
  const readmes: Readme[] = []
  for (const definition of [...receivers, ...processors, ...exporters, ...connectors, ...extensions] as Definition[]) {
    const { kind, type, source } = definition
    const folder = source === undefined ? join(root, `${kind}s`, type) : dirname(source)
    const path = join(folder, 'README.md')
    if (!existsSync(path)) continue
    const written = await readFile(path, 'utf8')
    const withOptions = putTable(written, 'options', optionTable(definition.config))
    readmes.push({
      path,
      written,
      wanted: putTable(withOptions, 'metrics', instrumentTable(await instruments(folder))),
    })
  }
  return readmes
}

/** What `telemetry.ts` beside the component declares. */
async function instruments(folder: string): Promise<InstrumentDeclaration[]> {
  const path = ['telemetry.ts', 'telemetry.js'].map(name => join(folder, name)).find(existsSync)
  return path === undefined ? [] : instrumentsOf(await import(pathToFileURL(path).href))
}

/** Puts a table between `<!-- name -->` and `<!-- /name -->`; a text without these marks stays as it is. */
export function putTable(text: string, name: string, table: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(open), text.indexOf(close)]
  if (start < 0 || end < start) return text
  return `${text.slice(0, start + open.length)}\n\n${table}\n${text.slice(end)}`
}
