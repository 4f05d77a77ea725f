import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#core/testing'
import { ProcessEnded, ReadingProcess } from './reading-process.ts'

const PROGRAM = new URL('testdata/misbehaving-worker.ts', import.meta.url)

function order(text: string, timeout = 60_000) {
  return { name: 'page', task: { body: Buffer.from(text), contentType: '', url: '' }, timeout }
}

function open(program = PROGRAM): ReadingProcess {
  const process = new ReadingProcess(program, 64 << 20)
  onTestFinished(() => process.end())
  return process
}

test('it answers one order after the other', async () => {
  const process = open()
  expect(await process.ask(order('one'))).toEqual({ value: { text: 'one', partial: false } })
  expect(await process.ask(order('two'))).toEqual({ value: { text: 'two', partial: false } })
  expect(await process.ask({ ...order('x'), name: 'nothing' })).toEqual({
    fault: expect.stringContaining('It cannot be read'),
  })
})

test('it breaks off by itself what takes too long', async () => {
  const process = open()
  expect(await process.ask(order('forever', 200))).toEqual({ late: true })
  expect(await process.ask(order('well'))).toEqual({ value: { text: 'well', partial: false } })
})

test('it says why it ended', async () => {
  const process = open()
  await expect(process.ask(order('end'))).rejects.toThrow(new ProcessEnded(3, null, ''))
  await expect(process.ask(order('well'))).rejects.toThrow(new ProcessEnded(3, null, ''))
  await expect(open(new URL('testdata/nowhere.ts', import.meta.url)).ask(order('x'))).rejects.toThrow(
    /^The process ended with code 1: Error: Cannot find module/,
  )
})

test('it knows nothing of the environment', async () => {
  process.env.MILLRACE_SECRET = 'secret'
  onTestFinished(() => {
    delete process.env.MILLRACE_SECRET
  })
  expect(await open().ask(order('environment'))).toEqual({ value: { text: '', partial: false } })
})

test('it ends when its parent is killed, also in the middle of what never ends', { timeout: 60_000 }, async () => {
  const script = `
    const { ReadingProcess } = await import(${JSON.stringify(new URL('reading-process.ts', import.meta.url).href)})
    const process = new ReadingProcess(new URL(${JSON.stringify(PROGRAM.href)}), 64 << 20)
    const body = text => ({ name: 'page', task: { body: Buffer.from(text) }, timeout: 1_000 })
    await process.ask(body('well'))
    void process.ask(body('forever'))
    console.log(process.pid)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const pid = Number(await new Promise(resolve => parent.stdout.once('data', resolve)))
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await until(() => !isAlive(pid), { timeout: 30_000 })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
