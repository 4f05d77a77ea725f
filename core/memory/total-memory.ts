import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'

/**
 * Bytes of memory that this process may use: the least limit of its control group and the groups above it, or the
 * machine's memory when that is less or nothing is limited.
 * Source: https://docs.kernel.org/admin-guide/cgroup-v2.html, https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
 *
 * @param root where `proc` and `sys` are found
 */
export function totalMemory(root = '/', machine = totalmem()): number {
  let least = machine
  for (const file of limitFiles(root)) least = Math.min(least, readLimit(file))
  return least
}

/** Where each version keeps a group's limit, under the places it is usually mounted at. */
const V1 = { mounts: ['sys/fs/cgroup/memory'], file: 'memory.limit_in_bytes' }
const V2 = { mounts: ['sys/fs/cgroup', 'sys/fs/cgroup/unified'], file: 'memory.max' }

function* limitFiles(root: string): Iterable<string> {
  for (const line of read(join(root, 'proc/self/cgroup')).split('\n')) {
    // hierarchy:controllers:path; version 2 has no controllers.
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) continue
    const version = controllers === '' ? V2 : controllers.split(',').includes('memory') ? V1 : undefined
    if (version === undefined) continue
    // In a container the path may be the host's while the mount shows the group itself: its root is looked at as well.
    const names = path.split('/').filter(name => name !== '' && name !== '..')
    for (const mount of version.mounts) {
      for (let depth = names.length; depth >= 0; depth--) {
        yield join(root, mount, ...names.slice(0, depth), version.file)
      }
    }
  }
}

/** Infinity for `max`, for no file, and for what is no number. */
function readLimit(file: string): number {
  const text = read(file).trim()
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : Number.POSITIVE_INFINITY
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
