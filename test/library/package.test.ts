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

  test.each([
    ['as strict as the compiler alone can be', {}],
    ['with the options that few turn on', { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }],
    ['through a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has typings and examples without a fault, %s', { timeout: SLOW }, async (_, options) => {
    expect(await typeCheck(project, options)).toBe('')
  })

  test.each(['typescript/run.ts', 'javascript/run.js'])('runs the examples: %s', { timeout: SLOW }, async program => {
    expect(await project.node(program)).toBe('both examples run\n')
  })

  test.each(['typescript', 'javascript'])('runs the Vitest suite in %s', { timeout: SLOW }, async folder => {
    const vitest = join(project.path, 'node_modules/vitest/vitest.mjs')
    const report = join(project.path, `${folder}.json`)
    await project.node(vitest, 'run', '--reporter=json', '--outputFile', report, '--root', project.path, folder)
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ numPassedTests: 2, numFailedTests: 0 })
  })

  test('is required by CommonJS programs', { timeout: SLOW }, async () => {
    const program = "const { createCollector } = require('millrace'); console.log(typeof createCollector)"
    expect(await project.node('--input-type=commonjs', '-e', program)).toBe('function\n')
  })

  test('has suites that the author of a component runs', { timeout: SLOW }, async () => {
    await cp(join(import.meta.dirname, 'testdata/conformance.js'), join(project.path, 'suites/conformance.test.js'))
    const vitest = join(project.path, 'node_modules/vitest/vitest.mjs')
    const report = join(project.path, 'suites.json')
    await project.node(vitest, 'run', '--reporter=json', '--outputFile', report, '--root', project.path, 'suites')
    const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'))
    expect([numFailedTests, numPassedTests > 20]).toEqual([0, true])
  })

  test('has programs that run', { timeout: SLOW }, async () => {
    const installed = join(project.path, 'node_modules/millrace')
    const main = join(installed, 'distributions/millrace/main.js')
    expect((await stat(main)).mode & 0o111).toBe(0o111)
    expect(await project.node(main, '--version')).toMatch(/^millrace version \d/)
    await project.node(main, 'validate', '--config', join(installed, 'config/gateway.yaml'))
    expect(await project.node(main, 'print-config')).toContain('otlp')
  })

  test('starts its worker threads', { timeout: SLOW }, async () => {
    await cp(join(import.meta.dirname, 'testdata/threads.js'), join(project.path, 'threads.js'))
    expect(await project.node('threads.js')).toBe('wrong password: 401, right: 200, learned: http.request.method\n')
  })
})
