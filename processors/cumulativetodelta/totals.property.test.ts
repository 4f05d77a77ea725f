import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlainMetric } from '#core/data'
import { exponential, histogram, rig, SECOND, sum } from './rig.test-support.ts'

/** What a source does between two points: count something, begin again, count nothing. */
interface Step {
  readonly adds: readonly number[]
  readonly restarts: boolean
}
const step = fc.record({ adds: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), restarts: fc.boolean() })
const steps = fc.array(step, { minLength: 1, maxLength: 30 })

/** A source that counts observations of values 0 to 9, and how each kind of metric tells of them. */
class Source {
  total = 0
  #seen: number[] = []
  #start: bigint
  readonly #knowsStart: boolean

  constructor(began: bigint, knowsStart: boolean) {
    this.#start = began
    this.#knowsStart = knowsStart
  }

  /** Does a step that ends at `time`. */
  step({ adds, restarts }: Step, time: bigint): void {
    if (restarts) {
      this.#seen = []
      if (this.#knowsStart) this.#start = time - SECOND / 2n
    }
    this.#seen.push(...adds)
    this.total += adds.reduce((total, n) => total + n, 0)
  }

  metrics(time: bigint): PlainMetric[] {
    const seen = this.#seen
    const common = { startTimeUnixNano: this.#start, timeUnixNano: time }
    const all = seen.reduce((total, n) => total + n, 0)
    const buckets = [seen.filter(n => n <= 1), seen.filter(n => n === 2), seen.filter(n => n > 2)].map(
      each => each.length,
    )
    const positive = {
      offset: 0,
      bucketCounts: Array.from({ length: 9 }, (_, i) => seen.filter(n => n === i + 1).length),
    }
    const zeroCount = seen.filter(n => n === 0).length
    return [
      sum([{ ...common, asInt: all }]),
      { ...sum([{ ...common, asDouble: all / 4 }]), name: 'quarters' },
      histogram([{ ...common, count: seen.length, sum: all, bucketCounts: buckets }]),
      exponential([{ ...common, count: seen.length, sum: all, zeroCount, positive }]),
    ]
  }
}

/** The sums over all that arrived. */
function totals(metrics: readonly PlainMetric[]) {
  const found = { sum: 0n, quarters: 0, histogram: 0, buckets: 0n, exponential: 0, exponentialBuckets: 0n }
  for (const metric of metrics) {
    for (const point of metric.sum?.dataPoints ?? []) {
      if (metric.name === 'quarters') found.quarters += point.asDouble ?? 0
      else found.sum += BigInt(point.asInt ?? 0)
    }
    for (const point of metric.histogram?.dataPoints ?? []) {
      found.histogram += point.sum ?? 0
      for (const count of point.bucketCounts ?? []) found.buckets += BigInt(count)
    }
    for (const point of metric.exponentialHistogram?.dataPoints ?? []) {
      found.exponential += point.sum ?? 0
      found.exponentialBuckets += BigInt(point.zeroCount ?? 0)
      for (const count of point.positive?.bucketCounts ?? []) found.exponentialBuckets += BigInt(count)
    }
  }
  return found
}

function expected(total: number, count: number) {
  return {
    sum: BigInt(total),
    quarters: total / 4,
    histogram: total,
    buckets: BigInt(count),
    exponential: total,
    exponentialBuckets: BigInt(count),
  }
}

const countOf = (all: readonly Step[]) => all.reduce((count, { adds }) => count + adds.length, 0)

test('deltas add up to everything a source has counted, however often it begins again', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      const r = rig()
      const source = new Source(r.began, true)
      for (const [i, each] of all.entries()) {
        const time = r.began + BigInt(i + 1) * SECOND
        source.step(each, time)
        await r.send(...source.metrics(time))
      }
      expect(totals(r.metrics())).toEqual(expected(source.total, countOf(all)))
    }),
    { numRuns: 60 },
  )
})

/**
 * Without start times a restart shows only where something is less than before, and may hide in one metric and show in
 * another; so each is told by a counter that goes up by one at every step but the first after a restart.
 */
test('so they do when only falling values tell of it and such values are kept', async () => {
  const lengths = fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), async (lives, keep) => {
      const r = rig({ initial_value: 'keep', reset_value: keep ? 'keep' : 'drop' })
      let at = 0
      let total = 0
      for (const life of lives) {
        for (let n = 1; n <= life; n++) await r.send(sum([{ timeUnixNano: r.began + BigInt(++at) * SECOND, asInt: n }]))
        total += life
      }
      const dropped = r.context.ledger.total('dropped', 'reset')
      expect(dropped).toBe(keep ? 0 : lives.length - 1)
      // A life that is left out begins with 1.
      expect(totals(r.metrics()).sum).toBe(BigInt(total - dropped))
    }),
    { numRuns: 40 },
  )
})

test('so they do whatever is refused, in whatever order, and sent again or not', async () => {
  const fate = fc.constantFrom('taken', 'refused', 'refused, then sent again')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fate), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (all, atOnce) => {
        const r = rig()
        const source = new Source(r.began, true)
        const last = { adds: [1], restarts: false }
        const time = (i: number) => r.began + BigInt(i + 1) * SECOND
        for (let from = 0; from < all.length; from += atOnce) {
          // Several payloads are under way at a time; then each is answered.
          const group = all.slice(from, from + atOnce)
          r.sink.hold()
          const sent = group.map(([each, becomes], i) => {
            source.step({ ...each, restarts: false }, time(from + i))
            return { becomes, metrics: source.metrics(time(from + i)), at: from + i }
          })
          const refusedAt = new Set(sent.filter(({ becomes }) => becomes !== 'taken').map(({ at }) => String(time(at))))
          r.sink.refuseWhen(payload => {
            const text = Buffer.from(payload.flat())
            const wanted = [...refusedAt].some(at => {
              const bytes = Buffer.alloc(8)
              bytes.writeBigUInt64LE(BigInt(at))
              return text.includes(Buffer.concat([Buffer.from([0x19]), bytes]))
            })
            return wanted ? new Error('no') : undefined
          })
          const answers = sent.map(({ metrics }) => r.send(...metrics))
          r.sink.release()
          await Promise.allSettled(answers)
          r.sink.accept()
          for (const { becomes, metrics } of sent) if (becomes === 'refused, then sent again') await r.send(...metrics)
        }
        source.step(last, time(all.length))
        await r.send(...source.metrics(time(all.length)))
        expect(totals(r.metrics())).toEqual(expected(source.total, countOf([...all.map(([each]) => each), last])))
      },
    ),
    { numRuns: 80 },
  )
})
