import { posix } from 'node:path'

/**
 * The path with a group's name in place of its `*`. However the name is made up (`../..`, `/etc`), the file stays under
 * what stands before the `*`.
 */
export function groupPath(pattern: string, segment: string): string {
  const [before, after] = pattern.split('*') as [string, string]
  const prefix = cleanPrefix(before)
  const path = posix.normalize(prefix + withoutDots(segment) + after)
  return path.startsWith(prefix) ? path : posix.join(prefix, posix.join('/', segment + after))
}

/** `./x` and `../x` mean `/x` below the prefix. */
function withoutDots(segment: string): string {
  return segment.replace(/^\.{1,2}\//, '/')
}

function cleanPrefix(before: string): string {
  return posix.normalize(before)
}
