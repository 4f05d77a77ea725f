import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until } from '#core/testing'
import { cli, configured } from './cli.test-support.ts'

/** Starting a process takes its time on a busy machine. */
const PATIENT = { timeout: 18_000 }

/** The command line as a process of its own. */
class Program {
  out = ''
  err = ''
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [join(import.meta.dirname, 'testdata/mill.ts'), ...args])
    this.child.stdout?.on('data', chunk => {
      this.out += chunk
    })
    this.child.stderr?.on('data', chunk => {
      this.err += chunk
    })
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }))
  }

  async ready(): Promise<this> {
    await until(() => this.err.includes('Everything is ready'), PATIENT)
    return this
  }
}

describe('the process', () => {
  test('ends with the code of its command, all output written', async () => {
    const program = new Program(['schema'])
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.out).toBe((await cli(['schema'])).out)
    const wrong = new Program(['--nope'])
    expect(await wrong.ended).toEqual({ code: 2, signal: null })
    expect(wrong.err).toContain('Error: unknown flag: --nope')
  })

  test('stays until SIGTERM, and ignores SIGHUP as far as ending goes', async () => {
    const program = await new Program(configured()).ready()
    program.child.kill('SIGHUP')
    await until(() => program.err.includes('Config updated'), PATIENT)
    program.child.kill('SIGTERM')
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.err).toContain('Shutdown complete')
  })

  test('ends at once on a second signal, whatever still hangs', async () => {
    const program = await new Program(['--shutdown-timeout=1h', ...configured()]).ready()
    program.child.kill('SIGTERM')
    await until(() => program.err.includes('Starting shutdown'), PATIENT)
    program.child.kill('SIGTERM')
    expect(await program.ended).toEqual({ code: 143, signal: null })
  })

  test('is not disturbed by a reader that has seen enough', async () => {
    const program = new Program(['schema'])
    program.child.stdout?.destroy()
    expect((await program.ended).code).toBe(0)
    expect(program.err).toBe('')
  })
})
