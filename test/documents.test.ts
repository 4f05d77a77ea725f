import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configurationSchema, runCli } from '#core/service'
import { millrace } from '../distributions/millrace/index.ts'

const ROOT = join(import.meta.dirname, '..')

/** Runs a command and gives its exit code and output. */
async function run(...argv: string[]): Promise<{ code: number; output: string }> {
  let output = ''
  const sink = {
    write(text: string) {
      output += text
    },
  }
  const io = { stdin: process.stdin, stdout: sink, stderr: sink, env: {}, onSignal: () => () => {} }
  return { code: await runCli(millrace, argv, io), output }
}

test('the tables in the READMEs are what the declarations say', async () => {
  expect(await run('docs', '--check')).toMatchObject({ code: 0 })
})

test('the schema for editors is what the declarations say', () => {
  const committed = JSON.parse(readFileSync(join(ROOT, 'config/millrace.schema.json'), 'utf8'))
  expect(configurationSchema(millrace)).toEqual(committed)
})

test('every dependency has a line in the README, and every line a dependency', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const table = readme.slice(readme.indexOf('## Dependencies'), readme.indexOf('For development:'))
  const rows = table.split('\n').filter(line => line.startsWith('| `'))
  const told = rows.flatMap(row => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
  const scoped = told.map(name => (name in dependencies ? name : `@opentelemetry/${name}`))
  expect(scoped.sort()).toEqual(Object.keys(dependencies).sort())
})

test('the files that the README says to read first exist', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, path]) => path!)
  expect(links.length).toBeGreaterThan(10)
  for (const path of links) expect(() => readFileSync(join(ROOT, path)), path).not.toThrow(/ENOENT/)
})

test('the lock file names the packages of every platform, so that `npm ci` works on each', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>
  }
  const names = new Set(Object.keys(packages).map(path => path.slice(path.lastIndexOf('node_modules/') + 13)))
  const wanted = Object.values(packages).flatMap(entry => Object.keys(entry.optionalDependencies ?? {}))
  expect(wanted.filter(name => !names.has(name))).toEqual([])
  expect(Object.values(packages).filter(entry => entry.resolved !== undefined)).toEqual([])
})
