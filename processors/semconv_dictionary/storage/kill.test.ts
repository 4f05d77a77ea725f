import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { tempDir } from '#core/testing'

const PROGRAM = join(import.meta.dirname, 'learning.program.test-support.ts')
const KILLS = 20

/** Lets the program learn, kills it after so many saves, and tells what it found at its start and what was safe. */
async function learnAndDie(directory: string, saves: number): Promise<{ stored: number; safe: number; state: object }> {
  const child = spawn(process.execPath, [PROGRAM, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let found: { stored: number; state: object } | undefined
  let safe = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { stored?: number; state: object; safe?: number }
    if (said.stored !== undefined) found = { stored: said.stored, state: said.state }
    if (said.safe !== undefined) safe = said.safe
    // What it still writes until it dies may or may not be there later.
    if (said.safe !== undefined && saves-- <= 0) child.kill('SIGKILL')
  }
  await closed
  return { ...found!, safe }
}

test('killed twenty times at random moments, the store opens and holds what was stored', {
  timeout: 240_000,
}, async () => {
  await using dir = await tempDir()
  let safe = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const round = await learnAndDie(dir.path, Math.floor(Math.random() * 60))
    expect(round.state, `start ${kill}`).toEqual({ state: 'OK' })
    expect(round.stored, `start ${kill}`).toBeGreaterThanOrEqual(safe)
    safe = round.safe
  }
  expect(safe).toBeGreaterThan(0)
})
