import { describe, expect, test } from 'vitest'
import { FakeClock } from '#core/testing'
import { type Address, printAddress } from './dial.ts'
import { GrpcChannel } from './grpc-channel.ts'
import type { GrpcConnection } from './grpc-connection.ts'
import { GrpcResolver, type Lookup } from './grpc-resolver.ts'
import type { GrpcSubchannel, SubchannelState } from './grpc-subchannel.ts'
import { grpcTarget } from './grpc-target.ts'

/** A subchannel whose fate the test decides. */
class FakeSubchannel {
  state: SubchannelState = 'idle'
  failure = ''
  readonly address: Address
  readonly #changed: () => void

  constructor(address: Address, changed: () => void) {
    this.address = address
    this.#changed = changed
  }

  get connection(): GrpcConnection | undefined {
    return this.state === 'ready' ? (printAddress(this.address) as unknown as GrpcConnection) : undefined
  }

  connect(): void {
    if (this.state === 'idle') this.become('connecting')
  }

  become(state: SubchannelState, failure = ''): void {
    this.state = state
    this.failure = failure
    this.#changed()
  }

  async close(): Promise<void> {
    this.become('closed')
  }

  destroy(): void {
    this.become('closed')
  }
}

function rig(balancer: 'round_robin' | 'pick_first', names: readonly string[]) {
  const clock = new FakeClock()
  const made = new Map<string, FakeSubchannel>()
  const answers = { now: names, asked: 0 }
  const lookup: Lookup = async () => {
    answers.asked++
    if (answers.now.length === 0) throw new Error('no such name')
    return answers.now
  }
  const channel = new GrpcChannel({
    clock,
    balancer,
    resolver: new GrpcResolver(grpcTarget('backend:1'), clock, lookup),
    subchannel: (address, changed) => {
      const subchannel = new FakeSubchannel(address, changed)
      made.set((address as { host: string }).host, subchannel)
      return subchannel as unknown as GrpcSubchannel
    },
  })
  channel.connect()
  const pick = async (patient = false) => String(await channel.pick(patient, new AbortController().signal))
  return { clock, channel, made, answers, pick }
}

describe('round_robin', () => {
  test('gives each address its turn, and leaves out those that are not ready', async () => {
    const { clock, made, pick } = rig('round_robin', ['a', 'b', 'c'])
    await clock.advance(0)
    for (const each of made.values()) each.become('ready')
    expect([await pick(), await pick(), await pick(), await pick()]).toEqual(['a:1', 'b:1', 'c:1', 'a:1'])
    made.get('b')!.become('connecting')
    expect([await pick(), await pick(), await pick()]).toEqual(['c:1', 'a:1', 'c:1'])
  })

  test('waits while one may still connect and fails when none can', async () => {
    const { clock, made, pick } = rig('round_robin', ['a', 'b'])
    await clock.advance(0)
    made.get('a')!.become('waiting', 'a refused')
    const waiting = pick()
    made.get('b')!.become('waiting', 'b refused')
    await expect(waiting).rejects.toThrow('b refused')
    await expect(pick()).rejects.toThrow('b refused')
  })

  test('keeps what is still listed when names change, after 30 s at the earliest', async () => {
    const { clock, made, answers, pick } = rig('round_robin', ['a', 'b'])
    await clock.advance(0)
    for (const each of made.values()) each.become('ready')
    const kept = made.get('b')
    answers.now = ['b', 'c']
    made.get('a')!.become('idle')
    await clock.advance(1000)
    expect(answers.asked).toBe(1)
    await clock.advance(30_000)
    made.get('a')!.become('connecting')
    await clock.advance(0)
    expect(answers.asked).toBe(2)
    expect([made.get('a')!.state, made.get('b')]).toEqual(['closed', kept])
    made.get('c')!.become('ready')
    expect([await pick(), await pick()].sort()).toEqual(['b:1', 'c:1'])
  })
})

describe('pick_first', () => {
  test('connects to one address and goes to the next when that fails', async () => {
    const { clock, made, pick } = rig('pick_first', ['a', 'b', 'c'])
    await clock.advance(0)
    expect([...made.values()].map(each => each.state)).toEqual(['connecting', 'idle', 'idle'])
    made.get('a')!.become('waiting', 'a refused')
    expect([...made.values()].map(each => each.state)).toEqual(['waiting', 'connecting', 'idle'])
    made.get('b')!.become('ready')
    expect([await pick(), await pick()]).toEqual(['b:1', 'b:1'])
  })
})

describe('names', () => {
  test('that cannot be resolved are asked for again, and calls fail meanwhile', async () => {
    const { clock, made, answers, pick } = rig('round_robin', [])
    await expect(pick()).rejects.toThrow('Could not resolve backend: no such name')
    answers.now = ['a']
    await clock.advance(1300)
    made.get('a')!.become('ready')
    expect(await pick()).toBe('a:1')
  })

  test('are waited for by the patient until they give up', async () => {
    const { channel } = rig('round_robin', [])
    const controller = new AbortController()
    const waiting = channel.pick(true, controller.signal)
    controller.abort(new Error('too long'))
    await expect(waiting).rejects.toThrow('too long')
  })
})

test('a closed channel has no connection', async () => {
  const { clock, channel, made, pick } = rig('round_robin', ['a'])
  await clock.advance(0)
  const waiting = pick()
  await channel.close()
  await expect(waiting).rejects.toThrow('Client is closed')
  expect(made.get('a')!.state).toBe('closed')
})
