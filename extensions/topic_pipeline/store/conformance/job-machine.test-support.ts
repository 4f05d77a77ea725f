import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClaimedJob, Job, Setback } from '../../model/job.ts'
import type { TopicStore } from '../store.ts'
import type { TestDatabase } from './place.test-support.ts'
import { CATEGORY, NOW, RULES } from './samples.test-support.ts'

/** Any sequence of calls leaves jobs as this simple model says. */
export function describeJobMachine(database: TestDatabase): void {
  describe('the job state machine', () => {
    it('does what its model does, whatever happens in whatever order', async () => {
      await using place = await database.create()
      const store = await place.open()
      const runs = database.name === 'SQLite' ? 40 : 15
      await fc.assert(
        fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 40 }), async steps => {
          const model = new Model(store)
          for (const step of steps) await model.do(step)
          await model.clear()
        }),
        { numRuns: runs },
      )
    })
  })
}

type Step =
  | { readonly do: 'enqueue'; readonly delay: number }
  | { readonly do: 'claim'; readonly owner: string; readonly lease: number; readonly limit: number }
  | { readonly do: 'renew' | 'finish' | 'finishBadly' | 'release' | 'retry'; readonly which: number }
  | { readonly do: 'fail'; readonly which: number; readonly setback: Setback['kind'] }
  | { readonly do: 'recover'; readonly owner: string | undefined }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'prune' }

const which = fc.nat(20)
const owner = fc.constantFrom('a', 'b')
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('enqueue'), delay: fc.constantFrom(0, 0, 1500) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim'),
      owner,
      lease: fc.constantFrom(500, 5000),
      limit: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('renew', 'finish', 'finishBadly', 'release', 'retry'),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fail'), which, setback: fc.constantFrom('retry', 'paused', 'permanent') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recover'), owner: fc.option(owner, { nil: undefined }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(1, 600, 2000, 10_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune') }) },
) as fc.Arbitrary<Step>

type Known = Pick<
  Job,
  'id' | 'status' | 'attempts' | 'stalls' | 'runAt' | 'leaseUntil' | 'fence' | 'owner' | 'completedAt'
>

class Model {
  readonly #store: TopicStore
  readonly #jobs = new Map<number, Known>()
  /** Every claim ever made, also those that were lost. */
  readonly #claims: ClaimedJob[] = []
  #now = NOW
  #effects = 0

  constructor(store: TopicStore) {
    this.#store = store
  }

  async do(step: Step): Promise<void> {
    await this.#act(step)
    const counts: Record<string, number> = {}
    for (const known of this.#jobs.values()) {
      expect(await this.#store.jobs.get(known.id)).toMatchObject(known)
      counts[known.status] = (counts[known.status] ?? 0) + 1
    }
    const told = (await this.#store.jobs.counts()).map(each => [each.status, each.count])
    expect(Object.fromEntries(told)).toEqual(counts)
    expect(await this.#store.categories.list()).toHaveLength(this.#effects)
  }

  /** Leaves the database as it was. */
  async clear(): Promise<void> {
    const rules = { ...RULES, maxAttempts: 0, maxStalls: 0 }
    await this.#store.jobs.recover(NOW + 1e9, rules)
    const now = NOW + 1e9
    const jobs = await this.#store.jobs.claim({ stages: ['EXTRACT'], owner: 'c', now, leaseUntil: now, limit: 1000 })
    for (const job of jobs) await this.#store.jobs.finish(job, now, async () => {})
    await this.#store.jobs.prune(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    for (const { id } of await this.#store.categories.list()) await this.#store.categories.delete(id)
    expect(await this.#store.jobs.counts()).toEqual([])
  }

  async #act(step: Step): Promise<void> {
    const { jobs } = this.#store
    const now = this.#now
    switch (step.do) {
      case 'wait':
        this.#now += step.ms
        return
      case 'enqueue': {
        const id = await jobs.enqueue('EXTRACT', null, now, { runAt: now + step.delay })
        const fresh = { attempts: 0, stalls: 0, fence: 0, leaseUntil: null, owner: null, completedAt: null }
        this.#jobs.set(id, { id, status: 'PENDING', runAt: now + step.delay, ...fresh })
        return
      }
      case 'claim': {
        const due = [...this.#jobs.values()]
          .filter(job => job.status === 'PENDING' && job.runAt <= now)
          .sort((a, b) => a.runAt - b.runAt || a.id - b.id)
          .slice(0, step.limit)
        const leaseUntil = now + step.lease
        const claimed = await jobs.claim({ stages: ['EXTRACT'], owner: step.owner, now, leaseUntil, limit: step.limit })
        expect(claimed.map(job => job.id)).toEqual(due.map(job => job.id))
        this.#claims.push(...claimed)
        for (const job of due) {
          this.#set(job, { status: 'PROCESSING', owner: step.owner, leaseUntil, fence: job.fence + 1 })
        }
        return
      }
      case 'recover': {
        const stalled = [...this.#jobs.values()]
          .filter(job => job.status === 'PROCESSING')
          .filter(job => job.leaseUntil! <= now || job.owner === step.owner)
        expect(await jobs.recover(now, RULES, step.owner)).toBe(stalled.length)
        for (const job of stalled) {
          const failed = job.stalls + 1 > RULES.maxStalls
          const change = failed
            ? { status: 'FAILED' as const, completedAt: now }
            : { status: 'PENDING' as const, runAt: now }
          this.#set(job, { ...FREE, ...change, stalls: job.stalls + 1 })
        }
        return
      }
      case 'prune': {
        const old = [...this.#jobs.values()].filter(job => job.completedAt !== null && job.completedAt < now)
        expect(await jobs.prune(now, now)).toBe(old.length)
        for (const job of old) this.#jobs.delete(job.id)
        return
      }
      case 'retry': {
        const failed = [...this.#jobs.values()].filter(job => job.status === 'FAILED')
        const job = failed[step.which % failed.length]
        expect(await jobs.retry(job?.id ?? 0, now)).toBe(job !== undefined)
        if (job !== undefined)
          this.#set(job, { status: 'PENDING', attempts: 0, stalls: 0, runAt: now, completedAt: null })
        return
      }
      default:
        return this.#withClaim(step, now)
    }
  }

  async #withClaim(step: Extract<Step, { which: number }>, now: number): Promise<void> {
    const claim = this.#claims[step.which % this.#claims.length]
    if (claim === undefined) return
    const { jobs } = this.#store
    const job = this.#jobs.get(claim.id)
    const ours = job !== undefined && job.status === 'PROCESSING' && job.fence === claim.fence
    switch (step.do) {
      case 'renew':
        expect(await jobs.renew([claim], now + 5000)).toEqual(ours ? [] : [claim.id])
        if (ours) this.#set(job, { leaseUntil: now + 5000 })
        return
      case 'release':
        await jobs.release([claim], now)
        if (ours) this.#set(job, { ...FREE, status: 'PENDING' })
        return
      case 'finish':
        expect(
          await jobs.finish(claim, now, async tables => void (await tables.categories.create(CATEGORY, now))),
        ).toBe(ours)
        if (!ours) return
        this.#effects++
        this.#set(job, { ...FREE, status: 'COMPLETED', completedAt: now })
        return
      case 'finishBadly': {
        const finish = jobs.finish(claim, now, async tables => {
          await tables.categories.create(CATEGORY, now)
          throw new Error('No')
        })
        if (ours) await expect(finish).rejects.toThrow('No')
        else expect(await finish).toBe(false)
        return
      }
      case 'fail': {
        const attempts = claim.attempts + Number(step.setback !== 'paused')
        const setback = { kind: step.setback, message: 'No', notBefore: now + 700 } as Setback
        const failed = step.setback === 'permanent' || (step.setback === 'retry' && attempts >= RULES.maxAttempts)
        const status = failed ? 'FAILED' : 'PENDING'
        expect(await jobs.fail(claim, setback, now, RULES)).toBe(ours ? status : undefined)
        if (!ours) return
        const pause = step.setback === 'paused' ? 700 : RULES.baseDelay * 2 ** (attempts - 1)
        this.#set(job, { ...FREE, status, attempts, ...(failed ? { completedAt: now } : { runAt: now + pause }) })
      }
    }
  }

  #set(job: Known, change: Partial<Known>): void {
    this.#jobs.set(job.id, { ...job, ...change })
  }
}

const FREE = { owner: null, leaseUntil: null } as const
