import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TempDir, tempDir } from '#core/testing'
import type { Change, ScanRange, Store } from './store.ts'

/** A kind of store, as the suite needs it. */
export interface StoreUnderTest {
  /** Opens the store kept in `dir`. */
  open(dir: string): Promise<Store>
  /**
   * A module whose export `open(dir)` does the same: run in processes of its own that are killed. Left out when content
   * does not outlive the process.
   */
  readonly program?: string
}

/** What every store must do. */
export function describeStore(name: string, subject: StoreUnderTest): void {
  describe(name, () => {
    let dir: TempDir
    let store: Store
    beforeEach(async () => {
      dir = await tempDir()
      store = await subject.open(dir.path)
    })
    afterEach(async () => {
      await store.close()
      await dir[Symbol.asyncDispose]()
    })

    describeAccess(() => store)
    describeScan(() => store)
    describeModel(() => store)
    test('refuses every call once it is closed; closing again does nothing', async () => {
      await store.close()
      await store.close()
      const calls: (() => Promise<unknown>)[] = [
        () => store.get('a'),
        () => store.set('a', bytes('1')),
        () => store.delete('a'),
        () => store.batch([]),
        () => listOf(store.scan()),
        () => listOf(store.keys()),
        () => store.flushed(),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'StoreClosed' })
    })
    if (subject.program !== undefined) describeDurability(subject, subject.program)
  })
}

const bytes = (text: string) => Buffer.from(text)

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

function describeAccess(store: () => Store) {
  test('gives back what was set', async () => {
    await store().set('a', bytes('1'))
    await store().set('b', Buffer.alloc(0))
    expect(await store().get('a')).toEqual(bytes('1'))
    expect(await store().get('b')).toEqual(Buffer.alloc(0))
    expect(await store().get('c')).toBeUndefined()
  })

  test('replaces and deletes; deleting what is not there is no error', async () => {
    await store().set('a', bytes('1'))
    await store().set('a', bytes('2'))
    expect(await store().get('a')).toEqual(bytes('2'))
    await store().delete('a')
    await store().delete('a')
    expect(await store().get('a')).toBeUndefined()
  })

  test('keeps its own copy, and hands out copies', async () => {
    const value = bytes('one')
    await store().set('a', value)
    value.fill(0)
    const read = await store().get('a')
    expect(read).toEqual(bytes('one'))
    read!.fill(0)
    await store().set('b', bytes('x'))
    expect(await store().get('a')).toEqual(bytes('one'))
    await store().set('a', bytes('two'))
    expect(read).toEqual(Buffer.alloc(3))
  })

  test('applies a batch in order', async () => {
    await store().set('c', bytes('old'))
    await store().batch([
      { type: 'set', key: 'a', value: bytes('1') },
      { type: 'delete', key: 'a' },
      { type: 'set', key: 'b', value: bytes('2') },
      { type: 'set', key: 'b', value: bytes('3') },
      { type: 'delete', key: 'c' },
    ])
    await store().batch([])
    expect(await listOf(store().scan())).toEqual([['b', bytes('3')]])
  })

  test('applies nothing of a batch with a key that is no key', async () => {
    const batch = store().batch([
      { type: 'set', key: 'a', value: bytes('1') },
      { type: 'set', key: '', value: bytes('2') },
    ])
    await expect(batch).rejects.toBeInstanceOf(RangeError)
    expect(await store().get('a')).toBeUndefined()
  })

  test('takes keys of 1 to 1,024 bytes', async () => {
    const longest = 'ü'.repeat(512)
    await store().set(longest, bytes('1'))
    expect(await store().get(longest)).toEqual(bytes('1'))
    for (const key of ['', `${longest}x`]) {
      await expect(store().set(key, bytes('1'))).rejects.toBeInstanceOf(RangeError)
      await expect(store().get(key)).rejects.toBeInstanceOf(RangeError)
      await expect(store().delete(key)).rejects.toBeInstanceOf(RangeError)
    }
  })

  test('takes values of several megabytes', async () => {
    const value = Buffer.alloc(5_000_000, 'x')
    await store().set('large', value)
    expect((await store().get('large'))!.equals(value)).toBe(true)
  })

  test('serves calls made at the same time', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, i) => store().set(`k${i % 50}`, bytes(String(i)))))
    await store().flushed()
    expect(await listOf(store().keys())).toHaveLength(50)
    expect(await store().get('k49')).toEqual(bytes('199'))
  })
}

function describeScan(store: () => Store) {
  const KEYS = ['a', 'b/1', 'b/2', 'b/3', 'b0', 'z', 'é', '\uffee', '😀']

  test.each<[ScanRange, string[]]>([
    [{}, KEYS],
    [{ prefix: 'b/' }, ['b/1', 'b/2', 'b/3']],
    [{ prefix: 'b/', from: 'b/2' }, ['b/2', 'b/3']],
    [{ prefix: 'b/', to: 'b/2' }, ['b/1']],
    [{ prefix: 'b/', from: 'a', to: 'z' }, ['b/1', 'b/2', 'b/3']],
    [{ from: 'b/3', to: 'é' }, ['b/3', 'b0', 'z']],
    [{ from: 'b/15', limit: 2 }, ['b/2', 'b/3']],
    [{ prefix: 'b/', reverse: true }, ['b/3', 'b/2', 'b/1']],
    [{ from: 'b/1', to: 'b/3', reverse: true }, ['b/2', 'b/1']],
    [{ reverse: true, limit: 2 }, ['😀', '\uffee']],
    [{ prefix: '😀' }, ['😀']],
    [{ prefix: 'nothing' }, []],
    [{ from: 'b0', to: 'b/1' }, []],
    [{ limit: 0 }, []],
  ])('%j in the order of UTF-8', async (range, keys) => {
    await store().batch(KEYS.map(key => ({ type: 'set', key, value: bytes(`value of ${key}`) })))
    expect(await listOf(store().keys(range))).toEqual(keys)
    expect(await listOf(store().scan(range))).toEqual(keys.map(key => [key, bytes(`value of ${key}`)]))
  })

  test('goes on over more entries than one page, while they are deleted', async () => {
    const keys = Array.from({ length: 1500 }, (_, i) => String(i).padStart(4, '0'))
    await store().batch(keys.map(key => ({ type: 'set', key, value: bytes(key) })))
    const seen: string[] = []
    for await (const [key] of store().scan()) {
      seen.push(key)
      if (Number(key) % 3 === 0) await store().delete(key)
    }
    expect(seen).toEqual(keys)
    expect(await listOf(store().keys({ reverse: true }))).toEqual(keys.filter(key => Number(key) % 3 !== 0).reverse())
  })
}

function describeModel(store: () => Store) {
  test('is an ordered map, whatever is done to it', async () => {
    const key = fc.oneof(
      fc.constantFrom('a', 'b', 'ab', 'a/b', 'ÿ', '😀'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter(text => text.isWellFormed()),
    )
    const change = fc.oneof(
      fc.record({ type: fc.constant('set' as const), key, value: fc.uint8Array({ maxLength: 20 }) }),
      fc.record({ type: fc.constant('delete' as const), key }),
    )
    const range = fc.record(
      { prefix: key, from: key, to: key, reverse: fc.boolean(), limit: fc.nat(5) },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }),
        range,
        async (batches, where) => {
          for await (const each of store().keys()) await store().delete(each)
          const model = new Map<string, Buffer>()
          for (const batch of batches) {
            await store().batch(batch)
            for (const each of batch) {
              if (each.type === 'set') model.set(each.key, Buffer.from(each.value))
              else model.delete(each.key)
            }
          }
          expect(await listOf(store().scan(where))).toEqual(expected(model, where))
        },
      ),
      { numRuns: 60 },
    )
  })
}

function expected(model: Map<string, Buffer>, { prefix = '', from, to, reverse, limit }: ScanRange) {
  const order = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b))
  const found = [...model]
    .filter(([key]) => key.startsWith(prefix))
    .filter(([key]) => (from === undefined || order(key, from) >= 0) && (to === undefined || order(key, to) < 0))
    .sort(([a], [b]) => order(a, b))
  if (reverse) found.reverse()
  return found.slice(0, limit)
}

function describeDurability(subject: StoreUnderTest, program: string) {
  test('holds what it held after it was closed and opened again', async () => {
    await using dir = await tempDir()
    const first = await subject.open(dir.path)
    await first.batch([
      { type: 'set', key: 'a', value: bytes('1') },
      { type: 'set', key: 'b', value: bytes('2') },
    ])
    await first.delete('b')
    await first.close()
    const second = await subject.open(dir.path)
    expect(await listOf(second.scan())).toEqual([['a', bytes('1')]])
    await second.close()
  })

  test('loses nothing flushed and splits no batch when its process is killed at random moments', {
    timeout: 120_000,
  }, async () => {
    await using dir = await tempDir()
    for (let round = 0; round < 20; round++) {
      const flushed = await writeUntilKilled(program, dir.path, round)
      const store = await subject.open(dir.path)
      const numbers = new Map<number, Buffer[]>()
      for await (const [key, value] of store.scan({ prefix: `${round}/` })) {
        const n = Number(key.split('/')[1])
        numbers.set(n, [...(numbers.get(n) ?? []), value])
      }
      const last = Math.max(flushed, ...numbers.keys())
      expect(last, `batches written in round ${round}`).toBeLessThanOrEqual(flushed + AHEAD)
      for (let n = 0; n <= last; n++) {
        expect(numbers.get(n)?.length, `entries of batch ${n} of round ${round}`).toBe(BATCH)
        for (const value of numbers.get(n)!) expect(value.equals(Buffer.alloc(SIZE, n % 256))).toBe(true)
      }
      await store.close()
    }
  })
}

/** Entries of a batch, bytes of a value, and how many batches may be under way when the process dies. */
const BATCH = 5
const SIZE = 3000
const AHEAD = 20

/** Runs a writer in a process of its own and kills it. Resolves to the last batch it said was flushed, -1 for none. */
async function writeUntilKilled(program: string, dir: string, round: number): Promise<number> {
  const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, program, dir, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let flushed = -1
  const lines = createInterface({ input: writer.stdout })
  lines.on('line', line => {
    flushed = Number(line)
    if (flushed === 0) setTimeout(() => writer.kill('SIGKILL'), Math.random() * 60)
  })
  await Promise.all([exit(writer), new Promise(resolve => lines.once('close', resolve))])
  return flushed
}

function exit(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (_, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error('The writer ended before it was killed')),
    )
  })
}

/** Writes batches without end, several under way, and says which are flushed. */
const WRITER = `
const [program, dir, round] = process.argv.slice(1)
const { open } = await import(program)
const store = await open(dir)
const write = async n => {
  await store.batch(Array.from({ length: ${BATCH} }, (_, i) => ({
    type: 'set', key: round + '/' + n + '/' + i, value: Buffer.alloc(${SIZE}, n % 256),
  })))
  await store.flushed()
}
const under = []
for (let n = 0; ; n++) {
  under.push(write(n))
  if (under.length < ${AHEAD / 2}) continue
  await under.shift()
  process.stdout.write(n + 1 - ${AHEAD / 2} + '\\n')
}
`

/** For suites that need changes as data. */
export type { Change }
