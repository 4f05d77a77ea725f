import { cp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TempDir, tempDir } from '#core/testing'
import { addExamples, addSnippets, doorsOf, installPackage, type Project, typeCheck } from './project.test-support.ts'

const SLOW = 240_000

let dir: TempDir
let project: Project
let doors: readonly string[]
let snippets: number

beforeAll(async () => {
  dir = await tempDir()
  project = await installPackage(dir.path)
  await addExamples(project)
  snippets = await addSnippets(project)
  doors = await doorsOf(project)
  await writeFile(join(project.path, 'doors.ts'), doors.map((door, i) => `export * as d${i} from '${door}'`).join('\n'))
}, SLOW)

afterAll(() => dir[Symbol.asyncDispose]())

describe('the package, installed into an empty project', () => {
  test('has what it needs, and neither sources nor tests', () => {
    const needed = ['README.md', 'LICENSE', 'config/default.yaml', 'config/millrace.schema.json']
    expect(project.files).toEqual(expect.arrayContaining(needed))
    const foreign = project.files.filter(path => /(?<!\.d)\.ts$|\.test\.|test-support|testdata|Dockerfile/.test(path))
    expect(foreign).toEqual([])
  })

  test('has a door for each room and component', () => {
    expect(doors).toEqual(
      expect.arrayContaining(['millrace', 'millrace/testing', 'millrace/core/component', 'millrace/processors/batch']),
    )
    expect(doors).not.toContain('millrace/core/testing')
  })

  test('opens every door', { timeout: SLOW }, async () => {
    const open = doors.filter(door => !door.endsWith('/conformance')).map(door => `await import('${door}')`)
    expect(await project.node('--input-type=module', '-e', `${open.join('\n')}\nconsole.log('open')`)).toBe('open\n')
  })

  test('is described with examples', () => {
    expect(snippets).toBeGreaterThan(5)
  })

  const few = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  test.each([
    ['as strict as the compiler alone can be', {}],
    ['through a bundler, with the options that few turn on', { module: 'esnext', moduleResolution: 'bundler', ...few }],
  ])('has typings and examples without a fault, %s', { timeout: SLOW }, async (_, options) => {
    expect(await typeCheck(project, options)).toBe('')
  })

  test.each(['typescript/run.ts', 'javascript/run.js'])('runs the examples: %s', { timeout: SLOW }, async program => {
    expect(await project.node(program)).toBe('both examples run\n')
  })

  test('is required by CommonJS programs', { timeout: SLOW }, async () => {
    const program = "const { createCollector } = require('millrace'); console.log(typeof createCollector)"
    expect(await project.node('--input-type=commonjs', '-e', program)).toBe('function\n')
  })

  test('serves Vitest suites in both, and brings those that every component passes', { timeout: SLOW }, async () => {
    await cp(join(import.meta.dirname, 'testdata/conformance.js'), join(project.path, 'suites/conformance.test.js'))
    const vitest = join(project.path, 'node_modules/vitest/vitest.mjs')
    const report = join(project.path, 'report.json')
    await project.node(vitest, 'run', '--reporter=json', '--outputFile', report, '--root', project.path)
    const { numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8')) as VitestReport
    const counts = testResults.map(({ name, assertionResults }) => [name.split('/').at(-2), assertionResults.length])
    expect(numFailedTests).toBe(0)
    const { suites, ...examples } = Object.fromEntries(counts)
    expect(examples).toEqual({ typescript: 2, javascript: 2 })
    expect(suites).toBeGreaterThan(20)
  })

  test('has programs that run', { timeout: SLOW }, async () => {
    const installed = join(project.path, 'node_modules/millrace')
    const main = join(installed, 'distributions/millrace/main.js')
    const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      bin: Record<string, string>
    }
    await Promise.all(
      Object.entries(bin).map(async ([name, program]) => {
        expect((await stat(join(installed, program))).mode & 0o111, name).toBe(0o111)
        expect(await project.node(join(installed, program), '--help'), name).toContain(name)
      }),
    )
    expect(await project.node(main, '--version')).toMatch(/^millrace version \d/)
    await project.node(main, 'validate', '--config', join(installed, 'config/gateway.yaml'))
    expect(await project.node(main, 'print-config')).toContain('otlp')
  })

  test('starts its worker threads', { timeout: SLOW }, async () => {
    await cp(join(import.meta.dirname, 'testdata/threads.js'), join(project.path, 'threads.js'))
    expect(await project.node('threads.js')).toBe('wrong password: 401, right: 200, learned: http.request.method\n')
  })
})

/** What is read of the report. */
interface VitestReport {
  readonly numFailedTests: number
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly unknown[] }[]
}
