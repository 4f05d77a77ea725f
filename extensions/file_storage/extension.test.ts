import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ComponentId, systemClock } from '#core/component'
import { isStorageExtension } from '#core/storage'
import { configure, type TempDir, tempDir, testContext } from '#core/testing'
import { checkFileStorageConfig, fileStorageConfig } from './config.ts'
import { FileStorage } from './extension.ts'
import { fileName } from './file-name.ts'

const OTLP = new ComponentId('otlp_grpc')

async function started(dir: TempDir, written: object = {}) {
  const context = testContext({ id: 'file_storage', kind: 'extension', clock: systemClock })
  const extension = new FileStorage(configure(fileStorageConfig, { directory: dir.path, ...written }), context)
  await extension.start()
  return { extension, context }
}

describe('the configuration', () => {
  test('has the defaults of the Collector', () => {
    expect(configure(fileStorageConfig)).toEqual({
      directory: '/var/lib/otelcol/file_storage',
      create_directory: false,
      directory_permissions: '0750',
      timeout: 1000,
      fsync: false,
      compaction: {
        on_start: false,
        on_rebound: false,
        directory: '',
        max_transaction_size: 65536,
        cleanup_on_start: false,
        rebound_needed_threshold_mib: 100,
        rebound_trigger_threshold_mib: 10,
        check_interval: 5000,
      },
    })
  })

  test.each([
    [
      { create_directory: true, directory_permissions: 'rwx' },
      'directory_permissions value must be a valid octal representation of a file permission',
    ],
    [
      { create_directory: true, directory_permissions: '07777' },
      'directory_permissions contain invalid bits for file access',
    ],
    [
      { compaction: { max_transaction_size: -1 } },
      'compaction: max transaction size for compaction cannot be less than 0',
    ],
    [
      { compaction: { on_rebound: true, check_interval: '0s' } },
      'compaction: compaction check interval must be positive when rebound compaction is set',
    ],
  ])('%j is a fault', (written, fault) => {
    expect([...checkFileStorageConfig(configure(fileStorageConfig, written))]).toEqual([fault])
  })
})

describe('file names', () => {
  test.each([
    ['receiver', new ComponentId('filelog', 'a'), '', 'receiver_filelog_a.mdb'],
    ['exporter', OTLP, 'traces', 'exporter_otlp_grpc__traces.mdb'],
    ['exporter', new ComponentId('otlp', 'a/b~c ü😀'), '', 'exporter_otlp_a~002Fb~007Ec~0020~00FC~1F600.mdb'],
  ] as const)('%s %s %j', (kind, id, name, file) => {
    expect(fileName(kind, id, name)).toBe(file)
  })
})

describe('the directory', () => {
  test('must exist', async () => {
    await using dir = await tempDir()
    const directory = join(dir.path, 'missing')
    await expect(started(dir, { directory })).rejects.toThrow(
      `directory must exist: ${directory}. You can enable the create_directory option to automatically create it`,
    )
  })

  test('must be one', async () => {
    await using dir = await tempDir()
    const directory = join(dir.path, 'file')
    await writeFile(directory, '')
    await expect(started(dir, { directory })).rejects.toThrow(`${directory} is not a directory`)
  })

  test('is created with the permissions asked for', async () => {
    await using dir = await tempDir()
    const directory = join(dir.path, 'a/b')
    await started(dir, { directory, create_directory: true, directory_permissions: '0700' })
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })
})

describe('a store', () => {
  test('is one for each component and name, and is there again after a restart', async () => {
    await using dir = await tempDir()
    const first = await started(dir)
    expect(isStorageExtension(first.extension)).toBe(true)
    const traces = await first.extension.openStore('exporter', OTLP, 'traces')
    const logs = await first.extension.openStore('exporter', OTLP, 'logs')
    await traces.set('a', Buffer.from('traces'))
    await logs.set('a', Buffer.from('logs'))
    await first.extension.shutdown()
    const second = await started(dir)
    const again = await second.extension.openStore('exporter', OTLP, 'traces')
    expect(String(await again.get('a'))).toBe('traces')
    await second.extension.shutdown()
  })

  test('is open once at a time', async () => {
    await using dir = await tempDir()
    const { extension } = await started(dir, { timeout: '100ms' })
    const store = await extension.openStore('exporter', OTLP, '')
    await expect(extension.openStore('exporter', OTLP, '')).rejects.toThrow('it is open already, waited 100 ms')
    const waiting = extension.openStore('exporter', OTLP, '')
    await store.close()
    await (await waiting).close()
  })

  test('is not shared between processes: the second waits for the timeout', async () => {
    await using dir = await tempDir()
    const { extension } = await started(dir, { timeout: '100ms' })
    await extension.openStore('exporter', OTLP, '')
    const other = openElsewhere(dir.path)
    expect(await other.said).toMatch(
      new RegExp(`^Cannot open .*exporter_otlp_grpc_.mdb: process ${process.pid} has it open, waited 100 ms`),
    )
    await extension.shutdown()
  })

  test('is free again when the process that had it was killed', async () => {
    await using dir = await tempDir()
    const other = openElsewhere(dir.path)
    expect(await other.said).toBe('open')
    const { extension } = await started(dir, { timeout: '100ms' })
    await expect(extension.openStore('exporter', OTLP, '')).rejects.toThrow(`process ${other.pid} has it open`)
    await other.kill()
    const store = await extension.openStore('exporter', OTLP, '')
    await store.close()
  })

  test.each([
    ['of another format', Buffer.alloc(100_000, 'x'), 'it is not an LMDB file of version 2'],
    ['too short to be one', Buffer.from('abc'), 'it is not an LMDB file of version 2'],
    ['of zeros', Buffer.alloc(8192), 'it is not an LMDB file of version 2'],
  ])('in a file %s is an error with the reason', async (_, content, reason) => {
    await using dir = await tempDir()
    const path = join(dir.path, fileName('exporter', OTLP, ''))
    await writeFile(path, content)
    const { extension } = await started(dir)
    await expect(extension.openStore('exporter', OTLP, '')).rejects.toThrow(`Cannot open ${path}: ${reason}`)
  })

  test('in a file that was cut off is an error with the reason', async () => {
    await using dir = await tempDir()
    const path = join(dir.path, fileName('exporter', OTLP, ''))
    const { extension } = await started(dir)
    await (await extension.openStore('exporter', OTLP, '')).close()
    await truncate(path, 4096)
    await expect(extension.openStore('exporter', OTLP, '')).rejects.toThrow(
      'it ends after 4096 bytes, its two head pages alone have 8192',
    )
  })

  test('in an empty file is made there', async () => {
    await using dir = await tempDir()
    await writeFile(join(dir.path, fileName('exporter', OTLP, '')), '')
    const { extension } = await started(dir)
    const store = await extension.openStore('exporter', OTLP, '')
    await store.set('a', Buffer.from('1'))
    await store.close()
  })
})

describe('compaction on start', () => {
  test('gives back the space of what was deleted, and keeps the rest', async () => {
    await using dir = await tempDir()
    const path = join(dir.path, fileName('exporter', OTLP, ''))
    const { extension } = await started(dir)
    const store = await extension.openStore('exporter', OTLP, '')
    const keys = Array.from({ length: 50 }, (_, i) => `k${i}`)
    await store.batch(keys.map(key => ({ type: 'set', key, value: Buffer.alloc(100_000) })))
    await store.batch(keys.slice(1).map(key => ({ type: 'delete', key })))
    await store.close()
    const before = (await stat(path)).size
    const compacting = await started(dir, { compaction: { on_start: true } })
    const again = await compacting.extension.openStore('exporter', OTLP, '')
    expect((await stat(path)).size).toBeLessThan(before / 10)
    expect((await again.get('k0'))?.length).toBe(100_000)
    await again.close()
    expect((await readdir(dir.path)).filter(name => name.startsWith('tempdb'))).toEqual([])
  })

  test('that cannot be done leaves the file as it is', async () => {
    await using dir = await tempDir()
    const { extension } = await started(dir)
    const store = await extension.openStore('exporter', OTLP, '')
    await store.set('a', Buffer.from('1'))
    await store.close()
    const directory = join(dir.path, 'elsewhere')
    await mkdir(directory)
    const compacting = await started(dir, { compaction: { on_start: true, directory } })
    await chmod(directory, 0o000)
    await writeFile(join(dir.path, 'blocked'), '')
    const again = await compacting.extension.openStore('exporter', OTLP, '')
    expect(String(await again.get('a'))).toBe('1')
    await again.close()
    await chmod(directory, 0o700)
  })

  test('removes what an interrupted one left behind, when asked', async () => {
    await using dir = await tempDir()
    await writeFile(join(dir.path, 'tempdb-1-2'), '')
    await started(dir)
    expect(await readdir(dir.path)).toEqual(['tempdb-1-2'])
    await started(dir, { compaction: { cleanup_on_start: true } })
    expect(await readdir(dir.path)).toEqual([])
  })
})

/** Opens the store in another process; says `open` or the error. */
function openElsewhere(directory: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ELSEWHERE, directory, import.meta.dirname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise(resolve => child.once('exit', resolve))
  const said = new Promise<string>(resolve => child.stdout.once('data', text => resolve(String(text).trim())))
  return {
    pid: child.pid,
    said,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const ELSEWHERE = `
const [directory, folder] = process.argv.slice(1)
const { FileStorage } = await import(folder + '/extension.ts')
const { ComponentId, systemClock } = await import(folder + '/../../core/component/index.ts')
const config = { directory, create_directory: false, timeout: 100, fsync: false, compaction: { directory: '' } }
const extension = new FileStorage(config, { clock: systemClock })
try {
  await extension.openStore('exporter', new ComponentId('otlp_grpc'), '')
  console.log('open')
  setTimeout(() => {}, 60_000)
} catch (error) {
  console.log(error.message)
}
`
