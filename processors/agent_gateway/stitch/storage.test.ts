import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, PermanentError, RetryableError } from '#core/component'
import { MemoryStore } from '#core/storage'
import { configure, settle, TestHost, tempDir } from '#core/testing'
import { agentGatewayProcessor } from '../index.ts'
import { gatewaySpans, placesOf, type Rig, recorded, rig } from '../rig.test-support.ts'

const STORED = { stitch: { window: '30s', storage: 'store' } }

/** A processor that has started on a store that is there already, as after a restart. */
async function started(store: MemoryStore, written: object = STORED): Promise<Rig<'traces'>> {
  const made = rig('traces', written)
  const extension = {
    async openStore() {
      store.reopen()
      return store
    },
  }
  await made.processor.start!(new TestHost({ store: extension }))
  return made
}

async function keysOf(store: MemoryStore): Promise<string[]> {
  store.reopen()
  const keys: string[] = []
  for await (const key of store.keys()) keys.push(key)
  return keys
}

describe('with storage', () => {
  test('a long window answers at once and hands on when it is over', async () => {
    const store = new MemoryStore()
    const { processor, sink, context } = await started(store)
    await processor.consume(gatewaySpans([{ id: 2, parent: 1 }]), NO_CONTEXT)
    await context.fakeClock.advance(20_000)
    await processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    expect(sink.items).toBe(0)
    expect(context.ledger.total('queued')).toBe(2)
    await context.fakeClock.advance(10_000)
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1'])
    expect(context.ledger.total('queued')).toBe(0)
    await processor.shutdown!()
    expect(await keysOf(store)).toEqual([])
  })

  test('spans that were acknowledged are there again after a crash, and stitched', async () => {
    const store = new MemoryStore()
    const before = await started(store)
    await before.processor.consume(gatewaySpans([{ id: 2, parent: 1 }]), NO_CONTEXT)
    const { processor, sink, context } = await started(store)
    await processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    expect(context.ledger.total('created')).toBe(1)
    await context.fakeClock.advance(30_000)
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1'])
    expect(context.ledger.total('queued')).toBe(0)
  })

  test('what has left of a request is not sent again after a crash', async () => {
    const store = new MemoryStore()
    const before = await started(store)
    await before.processor.consume(gatewaySpans([{ trace: 1, id: 1 }]), NO_CONTEXT)
    await before.context.fakeClock.advance(15_000)
    await before.processor.consume(
      gatewaySpans([
        { trace: 1, id: 2, parent: 1 },
        { trace: 2, id: 3 },
      ]),
      NO_CONTEXT,
    )
    await before.context.fakeClock.advance(15_000)
    expect(placesOf(before.sink)).toEqual(['1 1<-0', '1 2<-1'])
    const { sink, context } = await started(store)
    await context.fakeClock.advance(30_000)
    expect(placesOf(sink)).toEqual(['2 3<-0'])
  })

  test('a refusal is tried again until it is taken, one for good is dropped and counted', async () => {
    const store = new MemoryStore()
    const { processor, sink, context } = await started(store)
    sink.refuse()
    await processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    await context.fakeClock.advance(34_000)
    expect(sink.calls).toBe(3)
    sink.accept()
    await context.fakeClock.advance(10_000)
    expect(sink.items).toBe(1)
    sink.refuse(new PermanentError('never'))
    await processor.consume(gatewaySpans([{ trace: 2, id: 2 }]), NO_CONTEXT)
    await context.fakeClock.advance(30_000)
    expect(context.ledger.total('dropped', 'permanent_error')).toBe(1)
    expect(context.ledger.total('queued')).toBe(0)
    expect(await keysOf(store)).toEqual([])
  })

  test('a turn that is under way at a restart is stitched after it', async () => {
    const store = new MemoryStore()
    const before = await started(store)
    await before.processor.consume(gatewaySpans([{ id: 2, parent: 1 }]), NO_CONTEXT)
    await before.processor.shutdown!()
    expect(before.sink.items).toBe(0)
    expect(before.context.ledger.total('queued')).toBe(1)
    const { processor, sink, context } = await started(store)
    await processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    await context.fakeClock.advance(30_000)
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1'])
  })

  test('what is refused during a shutdown stays in storage', async () => {
    const store = new MemoryStore()
    const before = await started(store)
    before.sink.refuse()
    await before.processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    await before.context.fakeClock.advance(30_000)
    expect(before.sink.calls).toBe(1)
    await before.processor.shutdown!()
    expect(before.context.fakeClock.pending).toBe(0)
    const { sink, context } = await started(store)
    await context.fakeClock.advance(30_000)
    expect(placesOf(sink)).toEqual(['1 1<-0'])
  })

  test('senders are refused while twice as much as may wait cannot be handed on', async () => {
    const { processor, sink, context } = await started(new MemoryStore(), {
      stitch: { ...STORED.stitch, max_spans: 2 },
    })
    sink.refuse()
    for (let n = 1; n <= 4; n++) await processor.consume(gatewaySpans([{ trace: n, id: n }]), NO_CONTEXT)
    const fifth = () => processor.consume(gatewaySpans([{ trace: 5, id: 5 }]), NO_CONTEXT)
    await expect(fifth()).rejects.toThrow(new RetryableError('4 stored spans wait to be taken further down'))
    sink.accept()
    await context.fakeClock.advance(60_000)
    await fifth()
  })

  test('no command argument is stored', async () => {
    const store = new MemoryStore()
    const { processor } = await started(store)

    await processor.consume(recorded('traces', '0023_v1_traces.pb'), NO_CONTEXT)
    const [key] = await keysOf(store)
    const bytes = (await store.get(key!))!.toString('latin1')
    expect(bytes).toContain('openclaw.run')
    expect(bytes).not.toContain('--verbose')
  })

  test('an entry that is damaged is removed and said', async () => {
    const store = new MemoryStore()
    await store.set('spans/0000000000000007', Buffer.from('no request'))
    const { processor, context } = await started(store)
    expect(context.logger.messages('error')).toEqual(['Stored spans are damaged. Removing them.'])
    await processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    await settle()
    expect(await keysOf(store)).toEqual(['spans/0000000000000008'])
  })

  test('a store that cannot be written refuses the sender', async () => {
    const store = new MemoryStore()
    const { processor } = await started(store)
    await store.close()
    await expect(processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)).rejects.toThrow('Could not store the spans')
  })

  test('the extension must be there', async () => {
    const { processor } = rig('traces', STORED)
    await expect(processor.start!(new TestHost())).rejects.toThrow('no storage client extension found: store')
  })
})

test('a window longer than senders may be kept waiting needs storage', () => {
  const faults = (stitch: object) => [
    ...agentGatewayProcessor.check!(configure(agentGatewayProcessor.config, { stitch })),
  ]
  expect(faults({ window: '5s' })).toEqual([
    'stitch::window: 5000ms is longer than a sender may be kept waiting (stitch::max_hold, 2000ms): name a storage extension under stitch::storage',
  ])
  expect(faults({ window: '5s', max_hold: '5s' })).toEqual([])
  expect(faults({ window: '5s', storage: 'file_storage' })).toEqual([])
})

interface Run {
  readonly accepted: number[]
  readonly sent: number[]
}

/** Runs the program until it is killed once `kill` requests are acknowledged, or ends. */
async function run(dir: string, first: number, count: number, kill?: number): Promise<Run> {
  const program = join(import.meta.dirname, 'storage.program.test-support.ts')
  const child = spawn(process.execPath, [program, dir, String(first), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Run = { accepted: [], sent: [] }
  const lines = createInterface({ input: child.stdout })
  lines.on('line', line => {
    const [what, n] = line.split(' ')
    if (what === 'accepted' || what === 'sent') said[what].push(Number(n))
    if (said.accepted.length === kill) child.kill('SIGKILL')
  })
  const closed = new Promise(resolve => lines.once('close', resolve))
  const ended = await new Promise(resolve => child.once('exit', (code, signal) => resolve(signal ?? code)))
  await closed
  expect(ended).toBe(kill === undefined ? 0 : 'SIGKILL')
  return said
}

test('spans in a file outlive four kills: every one that was acknowledged leaves', { timeout: 120_000 }, async () => {
  await using dir = await tempDir()
  const accepted = new Set<number>()
  const sent = new Set<number>()
  const note = (said: Run) => {
    for (const n of said.accepted) accepted.add(n)
    for (const n of said.sent) sent.add(n)
  }
  for (let round = 0; round < 4; round++) note(await run(dir.path, 1 + round * 1000, 200, 20 + round * 20))
  const before = sent.size
  note(await run(dir.path, 0, 0))
  expect(accepted.size).toBeGreaterThanOrEqual(200)
  expect(sent.size).toBeGreaterThan(before)
  expect([...accepted].filter(n => !sent.has(n))).toEqual([])
})
