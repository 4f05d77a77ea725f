import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'

const PROGRAM = join(import.meta.dirname, 'sending-queue.program.test-support.ts')

interface Run {
  readonly accepted: number[]
  readonly sent: number[]
}

interface RunOptions {
  readonly dir: string
  readonly first: number
  readonly count: number
  readonly destination: 'down' | 'flaky' | 'up'
  readonly spans?: number
  /** When to kill the process: after a line, at a time in milliseconds after that. Without: it ends by itself. */
  readonly kill?: { readonly after: string; readonly ms: number }
}

/** Runs an exporter with a queue in storage until it is killed or ends. */
async function run({ dir, first, count, destination, spans = 1, kill }: RunOptions): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, dir, String(first), String(count), destination, String(spans)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const accepted: number[] = []
  const sent: number[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', line => {
    if (line === kill?.after) setTimeout(() => child.kill('SIGKILL'), kill.ms)
    const [what, n] = line.split(' ')
    if (what === 'accepted') accepted.push(Number(n))
    if (what === 'sent') sent.push(Number(n))
  })
  const closed = new Promise(resolve => lines.once('close', resolve))
  const [code, signal] = await new Promise<[number | null, string | null]>(resolve =>
    child.once('exit', (code, signal) => resolve([code, signal])),
  )
  await closed
  expect({ code, signal }).toEqual(kill === undefined ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' })
  return { accepted, sent }
}

describe('a sending queue in a file', () => {
  test('loses nothing it accepted when its process is killed twenty times under load', {
    timeout: 120_000,
  }, async () => {
    await using dir = await tempDir()
    const accepted = new Set<number>()
    const sent = new Set<number>()
    const note = (run: Run) => {
      for (const n of run.accepted) accepted.add(n)
      for (const n of run.sent) sent.add(n)
    }
    for (let round = 0; round < 20; round++) {
      const kill = { after: 'ready', ms: Math.random() * 400 }
      const destination = round % 3 === 0 ? 'down' : 'flaky'
      note(await run({ dir: dir.path, first: round * 1000, count: 400, destination, kill }))
    }
    expect(accepted.size).toBeGreaterThan(400)
    const before = sent.size
    note(await run({ dir: dir.path, first: 0, count: 0, destination: 'up' }))
    expect(sent.size).toBeGreaterThan(before)
    expect([...accepted].filter(n => !sent.has(n))).toEqual([])
  })

  test('holds 200,000 spans while the backend is down, over a kill, and sends them all', {
    timeout: 120_000,
  }, async () => {
    await using dir = await tempDir()
    const kill = { after: 'done', ms: 0 }
    const down = await run({ dir: dir.path, first: 0, count: 2000, destination: 'down', spans: 100, kill })
    expect(down.accepted).toHaveLength(2000)
    expect(down.sent).toEqual([])
    const up = await run({ dir: dir.path, first: 0, count: 0, destination: 'up' })
    expect(new Set(up.sent)).toEqual(new Set(down.accepted))
    expect(up.sent).toHaveLength(2000)
  })
})
