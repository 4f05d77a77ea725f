import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TempDir, tempDir } from '#core/testing'
import { installPackage, type Project, ROOT } from './project.test-support.ts'

const SLOW = 240_000
const execute = promisify(execFile)

let dir: TempDir
let project: Project
let main: string

beforeAll(async () => {
  dir = await tempDir()
  project = await installPackage(dir.path)
  main = join(project.path, 'node_modules/millrace/distributions/millrace/main.js')
}, SLOW)

afterAll(() => dir[Symbol.asyncDispose]())

/** Runs Node in a folder of the project; gives what it printed and fails with it. */
async function node(cwd: string, ...args: readonly string[]): Promise<string> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const done = await execute(process.execPath, args, { cwd, env }).catch(error => error)
  if (done instanceof Error) throw new Error(`${done.message}\n${'stdout' in done ? done.stdout : ''}`)
  return done.stdout
}

test.each(['receiver', 'processor', 'exporter', 'connector', 'extension'])(
  'the package writes a %s whose test passes, which type-checks, and which a collector takes',
  { timeout: SLOW },
  async kind => {
    const name = `my_${kind}`
    const folder = join(project.path, name)
    await node(project.path, main, 'new', kind, name)
    expect(await node(folder, '--test', '--test-reporter=tap')).toContain('# pass 1')
    await node(folder, main, 'validate', '--config', 'config.yaml')
    await node(folder, main, 'docs', '--check', '--component', `./${name}.ts`)
    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', lib: ['es2024', 'esnext.disposable'] },
      ...{ types: ['node'], allowImportingTsExtensions: true, erasableSyntaxOnly: true },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    await node(folder, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder)
  },
)

test('a new component passes the suite of its kind', { timeout: SLOW }, async () => {
  const folder = join(project.path, 'suite/polite')
  await node(project.path, main, 'new', 'processor', 'polite', '--directory', folder)
  const suite = `import { describeProcessor } from 'millrace/testing/conformance'
import { polite } from './polite.ts'
describeProcessor(polite, { folder: import.meta.dirname })
`
  await writeFile(join(folder, 'conformance.test.ts'), suite)
  const report = join(dir.path, 'report.json')
  const vitest = join(project.path, 'node_modules/vitest/vitest.mjs')
  const args = ['run', 'conformance', '--reporter=json', '--outputFile', report, '--root', folder]
  await node(project.path, vitest, ...args)
  const { testResults } = JSON.parse(await readFile(report, 'utf8'))
  const titles = testResults.flatMap((file: { assertionResults: { title: string; status: string }[] }) =>
    file.assertionResults.map(({ title, status }) => `${title.split(' ')[0]} ${status}`),
  )
  expect(new Set(titles)).toEqual(new Set([1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map(rule => `C${rule} passed`)))
})
