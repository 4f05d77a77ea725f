import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type TempDir, tempDir, until } from '#core/testing'
import { freePorts } from '../bench/ports.ts'
import { Program } from './process.ts'

const ROOT = join(import.meta.dirname, '../..')
const SLOW = 120_000
const PATIENT = { timeout: 30_000 }
const execute = promisify(execFile)

const guide = () => readFile(join(ROOT, 'core/component/README.md'), 'utf8')

/** The fenced blocks of the guide that have a name, in order. */
async function blocks(): Promise<readonly { readonly name: string; readonly text: string }[]> {
  return [...(await guide()).matchAll(/^```(?:ts|yaml|text|sh) (\S+)\n(.*?)^```/gms)].map(([, name, text]) => ({
    name: name!,
    text: text!,
  }))
}

/** A project that has the package, and nothing else. */
async function project(): Promise<TempDir> {
  const dir = await tempDir()
  await mkdir(dir.file('node_modules'))
  await symlink(ROOT, dir.file('node_modules/millrace'), 'junction')
  return dir
}

async function millrace(cwd: string, ...args: readonly string[]): Promise<Program> {
  const program = new Program(args, { cwd })
  expect([(await program.exit).code, program.stderr]).toEqual([0, ''])
  return program
}

/** Runs the tests in a folder as `npm test` does. @throws with the output when one fails */
async function nodeTest(cwd: string): Promise<string> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  return (await execute(process.execPath, ['--test', '--test-reporter=tap'], { cwd, env })).stdout
}

test('the tutorial, step by step', { timeout: SLOW }, async () => {
  await using dir = await project()
  const folder = dir.file('redact')
  const [component, curl, seen, changed, config, seenThen, testing] = await blocks()
  await millrace(dir.path, 'new', 'processor', 'redact')
  expect(component?.text).toBe(await readFile(join(folder, 'redact.ts'), 'utf8'))
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain(curl!.text)
  expect(await nodeTest(folder)).toContain('# pass 1')

  const [port] = await freePorts(1)
  const quiet = '--set=service.telemetry.metrics.level=none'
  const endpoint = `--set=receivers.otlp.protocols.http.endpoint=127.0.0.1:${port}`
  await using program = new Program(['--config', 'config.yaml', '--watch', quiet, endpoint], { cwd: folder })
  await until(() => program.stderr.includes('Watching files'), PATIENT)
  const body = /-d '(.*)'/s.exec(curl!.text)![1]!
  const send = () => fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers: JSON_TYPE, body })
  const updates = () => program.stderr.split('Config updated').length - 1
  const write = async (name: string, text: string) => {
    const before = updates()
    await writeFile(join(folder, name), text)
    await until(() => updates() > before, PATIENT)
  }
  expect((await send()).status).toBe(200)
  await until(() => program.stderr.includes(seen!.text), PATIENT)
  await write('redact.ts', changed!.text)
  await write('config.yaml', config!.text)
  expect((await send()).status).toBe(200)
  await until(() => program.stderr.includes(seenThen!.text), PATIENT)

  await writeFile(join(folder, 'redact.ts'), `${changed!.text}const a = (\n`)
  const refused = new RegExp(`Config not updated.*redact\\.ts:${changed!.text.split('\n').length}`)
  await until(() => refused.test(program.stderr), PATIENT)
  expect((await send()).status).toBe(200)
  await write('redact.ts', changed!.text.replace('replaceAll', 'replaceAl'))
  expect((await send()).status).toBe(503)
  const line = changed!.text.slice(0, changed!.text.indexOf('replaceAll')).split('\n').length
  expect([line, (await guide()).includes(`redact.ts:${line}:`)]).toEqual([line, true])
  await until(() => new RegExp(`is not a function, at \\S+redact\\.ts:${line}:\\d+`).test(program.stderr), PATIENT)
  await write('redact.ts', changed!.text)
  expect((await send()).status).toBe(200)

  await writeFile(join(folder, 'redact.test.ts'), testing!.text)
  expect(await nodeTest(folder)).toContain('# pass 2')
  await millrace(folder, 'docs', '--component', './redact.ts')
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain('| `pattern` |')

  await using other = await tempDir()
  await cp(folder, other.file('node_modules/millrace-processor-redact'), { recursive: true })
  await writeFile(other.file('c.yaml'), config!.text.replace('./redact.ts', 'millrace-processor-redact'))
  await millrace(other.path, 'validate', '--config', 'c.yaml')
})

const JSON_TYPE = { 'content-type': 'application/json' }
