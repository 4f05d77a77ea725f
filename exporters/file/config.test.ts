import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkFileConfig, fileConfig } from './config.ts'

test.each([
  [{ path: '' }, 'path must be non-empty'],
  [{ append: true, compression: 'zstd' }, 'append and compression enabled at the same time is not supported'],
  [{ append: true, rotation: {} }, 'append and rotation enabled at the same time is not supported'],
  [{ group_by: { enabled: true } }, 'path must contain exactly one * when group_by is enabled'],
  [{ path: '*.json', group_by: { enabled: true } }, 'path must not start with * when group_by is enabled'],
  [
    { path: 'a*', group_by: { enabled: true, resource_attribute: '' } },
    'resource_attribute must not be empty when group_by is enabled',
  ],
  [{ directory_permissions: '0700' }, 'directory_permissions requires create_directory to be true'],
  [
    { create_directory: true, directory_permissions: '0999' },
    'directory_permissions value must be a valid octal representation',
  ],
  [
    { create_directory: true, directory_permissions: '1777' },
    'directory_permissions contain invalid bits for file access',
  ],
])('%j is refused', (written, fault) => {
  expect([...checkFileConfig(configure(fileConfig, { path: 'x', ...written }))]).toEqual([fault])
})

test('a rotation with nothing after it has the defaults', () => {
  expect(configure(fileConfig, { path: 'x', rotation: null }).rotation).toEqual({
    max_megabytes: 100,
    max_days: 0,
    max_backups: 100,
    localtime: false,
  })
  expect(configure(fileConfig, { path: 'x' }).rotation).toBeUndefined()
})
