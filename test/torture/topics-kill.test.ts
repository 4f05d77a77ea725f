import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('topics outlive a process that is killed while it takes them in', { timeout: 280_000 }, async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'topics-kill.ts'), '3', '100'], {
    cwd: join(import.meta.dirname, '../..'),
    // On PostgreSQL the leases of the killed have to end first, which takes minutes; that is for the command.
    env: { ...process.env, MILLRACE_TEST_POSTGRES: undefined },
  })
  expect(stdout).toMatch(/^100 topics after 3 kills, [1-3] of them with jobs under way/)
})
