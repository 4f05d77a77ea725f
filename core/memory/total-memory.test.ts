import { mkdirSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { totalMemory } from './total-memory.ts'

const MACHINE = 8 * 2 ** 30
const MIB = 1 << 20

/** A tree as Linux shows it: files by path. */
async function seen(files: Readonly<Record<string, string>>): Promise<number> {
  await using dir = await tempDir()
  for (const [path, text] of Object.entries(files)) {
    const file = join(dir.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return totalMemory(dir.path, MACHINE)
}

const V1 = '12:pids:/docker/0af\n5:hugetlb,memory:/docker/0af\n1:name=systemd:/docker/0af\n'

test.each([
  ['no control groups: the machine’s', {}, MACHINE],
  [
    'version 2, in a container: its root is the group',
    { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': `${512 * MIB}\n` },
    512 * MIB,
  ],
  [
    'version 2, on a host: the group the process is in',
    {
      'proc/self/cgroup': '0::/system.slice/millrace.service\n',
      'sys/fs/cgroup/system.slice/millrace.service/memory.max': `${256 * MIB}\n`,
    },
    256 * MIB,
  ],
  [
    'version 2: a group above may allow less',
    {
      'proc/self/cgroup': '0::/pods/one/main\n',
      'sys/fs/cgroup/pods/memory.max': 'max\n',
      'sys/fs/cgroup/pods/one/memory.max': `${100 * MIB}\n`,
      'sys/fs/cgroup/pods/one/main/memory.max': `${200 * MIB}\n`,
    },
    100 * MIB,
  ],
  ['version 2 without a limit', { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': 'max\n' }, MACHINE],
  [
    'version 2, the group outside of what is mounted',
    { 'proc/self/cgroup': '0::/../other\n', 'sys/fs/cgroup/memory.max': `${64 * MIB}\n` },
    64 * MIB,
  ],
  [
    'version 1, the path of the host in a container: the mount is the group',
    { 'proc/self/cgroup': V1, 'sys/fs/cgroup/memory/memory.limit_in_bytes': `${300 * MIB}\n` },
    300 * MIB,
  ],
  [
    'version 1, on a host',
    { 'proc/self/cgroup': V1, 'sys/fs/cgroup/memory/docker/0af/memory.limit_in_bytes': `${300 * MIB}\n` },
    300 * MIB,
  ],
  [
    'version 1 without a limit is a number larger than any machine',
    { 'proc/self/cgroup': V1, 'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' },
    MACHINE,
  ],
  [
    'both at once, memory under version 1',
    {
      'proc/self/cgroup': `${V1}0::/docker/0af\n`,
      'sys/fs/cgroup/memory/memory.limit_in_bytes': `${400 * MIB}\n`,
      'sys/fs/cgroup/unified/docker/0af/memory.max': 'max\n',
    },
    400 * MIB,
  ],
  [
    'what is no limit is passed over',
    { 'proc/self/cgroup': 'nonsense\n0::/\n', 'sys/fs/cgroup/memory.max': '\n' },
    MACHINE,
  ],
])('%s', async (_, files, expected) => {
  expect(await seen(files)).toBe(expected)
})

test('this machine has some', () => {
  expect(totalMemory()).toBeGreaterThan(MIB)
  expect(totalMemory()).toBeLessThanOrEqual(totalmem())
})
