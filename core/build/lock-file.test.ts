import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { writeFiles } from './files.test-support.ts'
import { installedPackage } from './installed-package.ts'
import { lockedTree } from './lock-file.ts'

const pack = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, ...more })

/** Installs packages by path below `node_modules`, and gives the tree that some of them need. */
async function tree(packages: Readonly<Record<string, string>>, roots: readonly string[], lock?: object) {
  await using dir = await tempDir()
  const files = Object.entries(packages).map(([path, text]) => [`node_modules/${path}/package.json`, text])
  await writeFiles(dir.path, {
    ...Object.fromEntries(files),
    ...(lock === undefined ? {} : { 'package-lock.json': JSON.stringify({ packages: lock }) }),
  })
  return lockedTree(roots.map(name => installedPackage(name, dir.path)!))
}

describe('the tree of packages beside a bundle', () => {
  test('holds what is needed and nothing else', async () => {
    const locked = await tree(
      {
        a: pack('a', '1.0.0', { dependencies: { b: '^2.0.0' }, devDependencies: { c: '1' } }),
        b: pack('b', '2.1.0'),
        c: pack('c', '1.0.0'),
      },
      ['a'],
    )
    expect(locked.map(({ path, entry, root }) => [path, entry.version, root])).toEqual([
      ['node_modules/a', '1.0.0', true],
      ['node_modules/b', '2.1.0', false],
    ])
  })

  test('keeps two versions apart', async () => {
    const locked = await tree(
      {
        a: pack('a', '1.0.0', { dependencies: { c: '1' } }),
        b: pack('b', '1.0.0', { dependencies: { c: '2' } }),
        c: pack('c', '1.0.0'),
        'b/node_modules/c': pack('c', '2.0.0'),
      },
      ['a', 'b'],
    )
    expect(locked.map(({ path, entry }) => `${path} ${entry.version}`)).toEqual([
      'node_modules/a 1.0.0',
      'node_modules/b 1.0.0',
      'node_modules/b/node_modules/c 2.0.0',
      'node_modules/c 1.0.0',
    ])
  })

  test('takes over what the lock file says, also of packages for other platforms', async () => {
    const locked = await tree(
      { a: pack('a', '1.0.0', { optionalDependencies: { 'a-linux': '1.0.0', 'a-mac': '1.0.0', gone: '^1.0.0' } }) },
      ['a'],
      {
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-a', dev: true, resolved: 'https://example.com/a.tgz' },
        'node_modules/a-linux': { version: '1.0.0', integrity: 'sha512-l', os: ['linux'], optional: true },
      },
    )
    expect(locked.map(({ path, entry }) => [path, entry])).toEqual([
      ['node_modules/a', { version: '1.0.0', integrity: 'sha512-a' }],
      ['node_modules/a-linux', { version: '1.0.0', integrity: 'sha512-l', os: ['linux'], optional: true }],
      ['node_modules/a-mac', { version: '1.0.0', optional: true }],
    ])
  })

  test('does not believe a lock file that speaks of another version', async () => {
    const [a] = await tree({ a: pack('a', '1.0.0', { license: 'MIT', bin: './a.js' }) }, ['a'], {
      'node_modules/a': { version: '0.9.0', integrity: 'sha512-old' },
    })
    expect(a?.entry).toEqual({ version: '1.0.0', license: 'MIT', bin: { a: './a.js' } })
  })

  test('what one needs and another may do without is needed', async () => {
    const locked = await tree(
      {
        a: pack('a', '1.0.0', { optionalDependencies: { c: '1.0.0' } }),
        b: pack('b', '1.0.0', { dependencies: { c: '1.0.0' } }),
        c: pack('c', '1.0.0', { dependencies: { d: '1.0.0' } }),
        d: pack('d', '1.0.0'),
      },
      ['a', 'b'],
    )
    expect(locked.filter(({ entry }) => entry.optional === true)).toEqual([])
    expect(locked).toHaveLength(4)
  })

  test('cannot do without what is not installed', async () => {
    await expect(tree({ a: pack('a', '1.0.0', { dependencies: { b: '1' } }) }, ['a'])).rejects.toThrow(
      'the package "b", which a needs, is not installed',
    )
  })
})
