import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import type { DeadLetter } from '../dead_letter/entry.ts'
import { deadLetterFiles, readDeadLetters } from '../dead_letter/files.ts'
import { eventsOf, logPayload } from '../mapping/mapping.test-support.ts'
import { peer, type Reaction, type Request, running } from '../targets/peer.test-support.ts'

const PAYLOADS = 20
const RECORDS = 100
const EVENTS = PAYLOADS * RECORDS

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** One event in about a hundred is such that the target will never take it. */
const POISON = 'poison'

const payloads = Array.from({ length: PAYLOADS }, (_, p) =>
  logPayload(
    Array.from({ length: RECORDS }, (_, r) => {
      const n = p * RECORDS + r
      return { body: n % 97 === 13 ? `${POISON} ${n}` : `event ${n}`, attributes: { n } }
    }),
  ),
)
const ALL = payloads.flatMap(payload => eventsOf(payload).map(({ id, facts }) => ({ id, body: String(facts.body) })))
const POISONED = new Set(ALL.filter(({ body }) => body.startsWith(POISON)).map(({ id }) => id))

interface Event {
  readonly id: string
  readonly poison: boolean
}

/** What the target of each kind does with the events it reads: which it takes, and what it says. */
interface Kind {
  readonly preset: string
  readonly written: object
  readonly read: (request: Request) => Event[]
  /** Takes what it can by `take`; answers as documented. */
  readonly accept: (events: Event[], take: (event: Event) => void, random: () => number) => Reaction
  readonly deduplicates: boolean
}

function flat(json: unknown): Event {
  const event = json as Record<string, string>
  return { id: event['event.id']!, poison: event.message!.startsWith(POISON) }
}

const KINDS: readonly Kind[] = [
  {
    preset: 'webhook',
    written: { webhook: { response: 'items' } },
    read: ({ body }) => (JSON.parse(body) as unknown[]).map(flat),
    accept(events, take) {
      const rejected = events.flatMap(({ poison }, index) => (poison ? [{ index, reason: 'poison' }] : []))
      for (const event of events) if (!event.poison) take(event)
      return { status: 200, body: JSON.stringify({ rejected }) }
    },
    deduplicates: true,
  },
  {
    preset: 'splunk_hec',
    written: {},
    read: ({ body }) =>
      `${body.replaceAll('}}{"time"', '}}\n{"time"')}`
        .split('\n')
        .map(line => flat((JSON.parse(line) as { event: unknown }).event)),
    accept(events, take) {
      for (const [index, event] of events.entries()) {
        if (event.poison) {
          return { status: 400, body: JSON.stringify({ text: 'Invalid', code: 6, 'invalid-event-number': index }) }
        }
        take(event)
      }
      return { status: 200, body: '{"text":"Success","code":0}' }
    },
    deduplicates: false,
  },
  {
    preset: 'elastic',
    written: { format: 'flat' },
    read: ({ body }) =>
      body
        .trimEnd()
        .split('\n')
        .filter((_, i) => i % 2 === 1)
        .map(line => flat(JSON.parse(line))),
    accept(events, take, random) {
      const items = events.map(event => {
        if (event.poison)
          return { create: { status: 400, error: { type: 'mapper_parsing_exception', reason: 'poison' } } }
        if (random() < 0.01) return { create: { status: 429 } }
        take(event)
        return { create: { status: 201 } }
      })
      return { status: 200, body: JSON.stringify({ errors: true, items }) }
    },
    deduplicates: true,
  },
]

/** A target that fails at random, sometimes after it has taken the events. */
function faulty(kind: Kind, random: () => number, arrived: Map<string, number>): (request: Request) => Reaction {
  return request => {
    const events = kind.read(request)
    const take = ({ id }: Event) => {
      if (kind.deduplicates && arrived.has(id)) return
      arrived.set(id, (arrived.get(id) ?? 0) + 1)
    }
    const dice = random()
    if (dice < 0.08) return { status: 500 }
    if (dice < 0.16) return { status: 503, headers: { 'retry-after': '0' } }
    if (dice < 0.24) return { status: 429 }
    if (dice < 0.34) return events.length > 25 ? { status: 413 } : kind.accept(events, take, random)
    if (dice < 0.4) return 'reset'
    if (dice < 0.42) return 'hang'
    if (dice < 0.47) return 'garbage'
    const answer = kind.accept(events, take, random)
    return dice < 0.5 ? 'reset' : answer
  }
}

async function deadLettersIn(directory: string): Promise<DeadLetter[]> {
  const files = await Promise.all((await deadLetterFiles(directory)).map(({ path }) => readDeadLetters(path)))
  return files.flatMap(({ entries }) => entries)
}

const FAST_RETRY = { initial_interval: '2ms', max_interval: '20ms', max_elapsed_time: '0s' }

describe.each(KINDS)('a target $preset that fails at random', kind => {
  test.each([1, 2])(
    'gets every event that it can take, the others lie in the dead letter (seed %d)',
    async seed => {
      await using dir = await tempDir()
      const arrived = new Map<string, number>()
      await using target = await peer(faulty(kind, seeded(seed), arrived))
      const exporter = await running({
        ...kind.written,
        preset: kind.preset,
        endpoint: target.url,
        timeout: '150ms',
        batch: { max_events: 60, flush_timeout: '10ms' },
        retry_on_failure: FAST_RETRY,
        sending_queue: { num_consumers: 4, drain_timeout: '60s' },
        dead_letter: { directory: dir.path },
      })
      for (const payload of payloads) await exporter.send(payload)
      await exporter[Symbol.asyncDispose]()
      const lost = await deadLettersIn(dir.path)
      expect(new Set(lost.map(({ id }) => id))).toEqual(POISONED)
      expect(lost.length).toBe(POISONED.size)
      expect(lost.every(({ reason, message }) => reason === 'rejected' && message.length > 0)).toBe(true)
      expect(new Set(arrived.keys())).toEqual(new Set(ALL.map(({ id }) => id).filter(id => !POISONED.has(id))))
      if (kind.deduplicates) expect([...arrived.values()].every(times => times === 1)).toBe(true)
      const { ledger, meter } = exporter.context
      expect({ sent: ledger.total('sent'), lost: ledger.total('dropped'), queued: ledger.total('queued') }).toEqual({
        sent: EVENTS - POISONED.size,
        lost: POISONED.size,
        queued: 0,
      })
      expect(meter.value('otelcol_exporter_securityevent_logs_received')).toBe(EVENTS)
      expect(meter.value('otelcol_exporter_securityevent_events_exported')).toBe(EVENTS - POISONED.size)
      expect(meter.value('otelcol_exporter_securityevent_dead_letter_events', { reason: 'rejected' })).toBe(
        POISONED.size,
      )
    },
    60_000,
  )
})

test('what is given up is in the dead letter unless it arrived, and the ledger knows which', async () => {
  await using dir = await tempDir()
  const random = seeded(7)
  const arrived = new Map<string, number>()
  const [kind] = KINDS as [Kind]
  await using target = await peer(request => {
    const events = kind.read(request)
    if (random() < 0.7) return { status: 503 }
    return kind.accept(events, ({ id }) => arrived.set(id, 1), random)
  })
  const exporter = await running({
    webhook: { response: 'items' },
    endpoint: target.url,
    batch: { max_events: 60, flush_timeout: '10ms', max_bytes: '4KiB' },
    retry_on_failure: { initial_interval: '2ms', max_interval: '4ms', max_elapsed_time: '20ms' },
    sending_queue: { num_consumers: 4, drain_timeout: '60s' },
    dead_letter: { directory: dir.path, max_file_bytes: '64KiB' },
  })
  for (const payload of payloads) await exporter.send(payload)
  await exporter[Symbol.asyncDispose]()
  const lost = await deadLettersIn(dir.path)
  expect(new Set(lost.map(({ reason }) => reason))).toEqual(new Set(['rejected', 'retries_exhausted']))
  const dead = new Set(lost.map(({ id }) => id))
  expect(dead.size).toBe(lost.length)
  expect([...dead].filter(id => arrived.has(id))).toEqual([])
  expect(dead.size + arrived.size).toBe(EVENTS)
  const { ledger } = exporter.context
  expect(ledger.total('sent')).toBe(arrived.size)
  expect(ledger.total('dropped')).toBe(dead.size)
  expect(ledger.total('queued')).toBe(0)
}, 60_000)

test('a target that is away costs no more memory than the queue may hold', async () => {
  await using dir = await tempDir()
  await using target = await peer(() => ({ status: 503, headers: { 'retry-after': '60' } }))
  const exporter = await running({
    endpoint: target.url,
    batch: { enabled: false },
    sending_queue: { num_consumers: 2, queue_size: 5, drain_timeout: '1ms' },
    dead_letter: { directory: dir.path },
  })
  const answers = await Promise.allSettled(payloads.map(payload => exporter.send(payload)))
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(5)
  await exporter[Symbol.asyncDispose]()
  const lost = await deadLettersIn(dir.path)
  expect(lost.length).toBe(5 * RECORDS)
  expect(new Set(lost.map(({ reason }) => reason))).toEqual(new Set(['shutdown']))
})
