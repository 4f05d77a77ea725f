import { describe, expect, it } from 'vitest'
import type { Clock } from '#core/component'
import { FakeClock, RecordingLogger, until } from '#core/testing'
import type { ClaimedJob, Setback } from '../model/job.ts'
import { SQLITE } from '../store/conformance/place.test-support.ts'
import { manyFound, RULES } from '../store/conformance/samples.test-support.ts'
import type { TopicStore } from '../store/store.ts'
import { JobInterrupted, JobRunner } from './job-runner.ts'
import type { JobEnd, JobRunnerOptions } from './job-runner-options.ts'

const LEASE = 60_000
const DAY = 86_400_000

describe('JobRunner', () => {
  it('does what is due and hears of jobs that are added later', async () => {
    await using rig = await open()
    await rig.store.topics.add(manyFound(3), null, rig.clock.now())
    const done: number[] = []
    const { runner, ends } = rig.runner({
      handle: async job => async tables => {
        done.push(job.topicId!)
        if (job.stage === 'EXTRACT') await tables.jobs.enqueue('ANALYZE', job.topicId, rig.clock.now())
      },
    })
    await runner.start()
    await until(() => ends.length === 6)
    await rig.store.jobs.enqueue('EXTRACT', 9, rig.clock.now())
    await until(() => ends.length === 8)
    expect(done.sort()).toEqual([1, 1, 2, 2, 3, 3, 9, 9])
    expect(ends.every(end => end.outcome === 'completed')).toBe(true)
  })

  it('runs no more jobs of a stage at a time than it may', async () => {
    await using rig = await open()
    await rig.store.topics.add(manyFound(9), null, rig.clock.now())
    const gate = Promise.withResolvers<void>()
    let [running, most] = [0, 0]
    const { runner, ends } = rig.runner({
      concurrency: { EXTRACT: 4, ANALYZE: 0 },
      handle: async () => {
        most = Math.max(most, ++running)
        await gate.promise
        running--
        return async () => {}
      },
    })
    await rig.store.jobs.enqueue('ANALYZE', 1, rig.clock.now())
    await runner.start()
    await until(() => running === 4)
    expect(runner.running).toHaveLength(4)
    gate.resolve()
    await until(() => ends.length === 9)
    expect(most).toBe(4)
    expect(await rig.store.jobs.counts()).toContainEqual({ stage: 'ANALYZE', status: 'PENDING', count: 1 })
  })

  it('tries again when the pause is over, and gives up as the rules say', async () => {
    await using rig = await open()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const { runner, ends } = rig.runner({
      handle: async () => {
        throw new Error('Down')
      },
    })
    await runner.start()
    for (const [i, outcome] of ['retried', 'retried', 'failed'].entries()) {
      await until(() => ends.length === i + 1)
      expect(ends[i]).toMatchObject({ outcome, error: { message: 'Down' } })
      // The timer is set once the end has been written.
      await until(() => outcome === 'failed' || (rig.clock.next ?? DAY) <= 2000)
      await rig.clock.advance(2000)
    }
    expect(await rig.store.jobs.get(id)).toMatchObject({ status: 'FAILED', attempts: 3, errorMessage: 'Down' })
  })

  it('treats effects that fail like a handler that fails', async () => {
    await using rig = await open()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const { runner, ends } = rig.runner({
      classify: () => ({ kind: 'permanent', message: 'Judged' }),
      handle: async () => async () => {
        throw new Error('No such topic')
      },
    })
    await runner.start()
    await until(() => ends.length === 1)
    expect(await rig.store.jobs.get(id)).toMatchObject({ status: 'FAILED', errorMessage: 'Judged' })
  })

  it('renews leases for as long as a job takes', async () => {
    await using rig = await open()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const gate = Promise.withResolvers<void>()
    const { runner, ends } = rig.runner({ handle: () => gate.promise.then(() => async () => {}) })
    await runner.start()
    await until(() => runner.running.length === 1)
    for (let i = 0; i < 6; i++) {
      await rig.clock.advance(LEASE / 3)
      await until(async () => (await rig.store.jobs.get(id))!.leaseUntil === rig.clock.now() + LEASE)
    }
    expect(await rig.store.jobs.recover(rig.clock.now(), RULES)).toBe(0)
    gate.resolve()
    await until(() => ends.length === 1)
    expect(ends[0]).toEqual({ outcome: 'completed' })
  })

  it('interrupts a job that somebody else has taken over, and writes nothing of it', async () => {
    await using rig = await open()
    await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    let reason: unknown
    const { runner, ends } = rig.runner({
      handle: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          }),
        ),
    })
    await runner.start()
    await until(() => runner.running.length === 1)
    await rig.store.jobs.recover(rig.clock.now(), RULES, 'me')
    await rig.store.jobs.claim({
      stages: ['EXTRACT'],
      owner: 'other',
      now: rig.clock.now(),
      leaseUntil: rig.clock.now() + DAY,
      limit: 1,
    })
    await rig.clock.advance(LEASE / 3)
    await until(() => ends.length === 1)
    expect(reason).toEqual(new JobInterrupted('lost'))
    expect(ends[0]).toMatchObject({ outcome: 'lost' })
  })

  it('takes back what its last process held when that died', async () => {
    await using rig = await open()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const now = rig.clock.now()
    await rig.store.jobs.claim({ stages: ['EXTRACT'], owner: 'me', now, leaseUntil: now + DAY, limit: 1 })
    const { runner, ends } = rig.runner({ handle: async () => async () => {} })
    await runner.start()
    await until(() => ends.length === 1)
    expect(await rig.store.jobs.get(id)).toMatchObject({ status: 'COMPLETED', stalls: 1 })
    expect(rig.logger.messages('info')).toContain('Took back jobs that had not ended')
  })

  it('takes over what another process left behind, once the lease has ended', async () => {
    await using rig = await open()
    await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const now = rig.clock.now()
    await rig.store.jobs.claim({ stages: ['EXTRACT'], owner: 'dead', now, leaseUntil: now + LEASE, limit: 1 })
    const { runner, ends } = rig.runner({ handle: async () => async () => {} })
    await runner.start()
    // Renewal and the clean-up have timers of their own.
    await until(() => rig.clock.pending === 3)
    await rig.clock.advance(LEASE - 1)
    expect(ends).toEqual([])
    await rig.clock.advance(1)
    await until(() => ends.length === 1)
    expect(ends[0]).toEqual({ outcome: 'completed' })
  })

  it('keeps its own jobs when the machine has slept longer than a lease', async () => {
    await using rig = await open()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const gate = Promise.withResolvers<void>()
    let slept = 0
    const clock = { ...bound(rig.clock), now: () => rig.clock.now() + slept }
    const { runner, ends } = rig.runner({ clock, handle: () => gate.promise.then(() => async () => {}) })
    await runner.start()
    await until(() => runner.running.length === 1)
    slept = 10 * LEASE
    runner.wake()
    await until(async () => (await rig.store.jobs.get(id))!.leaseUntil === clock.now() + LEASE)
    gate.resolve()
    await until(() => ends.length === 1)
    expect(await rig.store.jobs.get(id)).toMatchObject({ status: 'COMPLETED', stalls: 0, fence: 1 })
  })

  it('takes over what others left behind while it has plenty to do itself', async () => {
    await using rig = await open()
    const now = rig.clock.now()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, now)
    await rig.store.jobs.claim({ stages: ['EXTRACT'], owner: 'dead', now, leaseUntil: now + LEASE, limit: 1 })
    await rig.store.topics.add(manyFound(20), null, now)
    let done = 0
    const { runner } = rig.runner({
      concurrency: { EXTRACT: 1 },
      handle: async () => {
        if (++done === 5) await rig.clock.advance(LEASE)
        if (done < 15) expect((await rig.store.jobs.get(id))!.status).not.toBe('COMPLETED')
        return async () => {}
      },
    })
    await runner.start()
    await until(async () => (await rig.store.jobs.get(id))!.status === 'COMPLETED')
    expect(await rig.store.jobs.get(id)).toMatchObject({ stalls: 1 })
  })

  it('looks now and then for jobs that another process has added', async () => {
    await using rig = await open()
    const elsewhere = await rig.open()
    const { runner, ends } = rig.runner({ pollInterval: 2000, handle: async () => async () => {} })
    await runner.start()
    await until(() => rig.clock.next === 2000)
    await elsewhere.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    expect(ends).toEqual([])
    await rig.clock.advance(2000)
    await until(() => ends.length === 1)
  })

  it('waits for jobs under way when it stops, and takes no more', async () => {
    await using rig = await open()
    await rig.store.topics.add(manyFound(3), null, rig.clock.now())
    const gate = Promise.withResolvers<void>()
    const { runner, ends } = rig.runner({
      concurrency: { EXTRACT: 1 },
      handle: () => gate.promise.then(() => async () => {}),
    })
    await runner.start()
    await until(() => runner.running.length === 1)
    const stopped = runner.stop()
    gate.resolve()
    await stopped
    expect(ends).toEqual([{ outcome: 'completed' }])
    expect(await rig.store.jobs.counts()).toEqual([
      { stage: 'EXTRACT', status: 'COMPLETED', count: 1 },
      { stage: 'EXTRACT', status: 'PENDING', count: 2 },
    ])
    expect(rig.clock.pending).toBe(0)
  })

  it.each(['that heed it', 'that do not heed it'])('gives back jobs %s when the grace is over', async kind => {
    await using rig = await open()
    const id = await rig.store.jobs.enqueue('EXTRACT', 1, rig.clock.now())
    const gate = Promise.withResolvers<void>()
    const { runner, ends } = rig.runner({
      grace: 5000,
      handle: async (_, signal) => {
        await new Promise<void>((resolve, reject) => {
          void gate.promise.then(resolve)
          if (kind === 'that heed it') signal.addEventListener('abort', () => reject(signal.reason))
        })
        return async () => {}
      },
    })
    await runner.start()
    await until(() => runner.running.length === 1)
    const stopped = runner.stop()
    await until(() => rig.clock.next === 5000)
    await rig.clock.advance(5000)
    await until(async () => (await rig.store.jobs.get(id))!.status === 'PENDING')
    gate.resolve()
    await stopped
    expect(ends).toMatchObject([{ outcome: 'released' }])
    expect(await rig.store.jobs.get(id)).toMatchObject({ status: 'PENDING', attempts: 0, stalls: 0 })
  })

  it('lets each run be wrapped, and a wrapper that fails loses nothing', async () => {
    await using rig = await open()
    await rig.store.topics.add(manyFound(2), null, rig.clock.now())
    const seen: (string | null)[] = []
    const { runner, ends } = rig.runner({
      handle: async () => async () => {},
      around: async (job, run) => {
        const end = await run()
        seen.push(`${job.stage} ${end.outcome}`)
        if (seen.length === 1) throw new Error('No span')
        return end
      },
    })
    await runner.start()
    await until(() => ends.length === 2)
    expect(seen).toEqual(['EXTRACT completed', 'EXTRACT completed'])
    expect(await rig.store.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'COMPLETED', count: 2 }])
  })

  it('forgets completed jobs after a week and failed ones after a month', async () => {
    await using rig = await open()
    await rig.store.topics.add(manyFound(2), null, rig.clock.now())
    const started = rig.clock.now()
    const { runner, ends } = rig.runner({
      classify: () => ({ kind: 'permanent', message: 'No' }),
      handle: async job => {
        if (job.topicId === 1) throw new Error('No')
        return async () => {}
      },
    })
    await runner.start()
    await until(() => ends.length === 2)
    const statuses = async () => (await rig.store.jobs.counts()).map(each => each.status)
    await rig.clock.advance(7 * DAY - 3_600_000)
    expect(await statuses()).toEqual(['COMPLETED', 'FAILED'])
    await until(async () => {
      await rig.clock.advance(3_600_000)
      return (await statuses()).join() === 'FAILED'
    })
    expect(rig.clock.now() - started).toBeLessThan(30 * DAY)
    await until(async () => {
      await rig.clock.advance(DAY)
      return (await statuses()).length === 0
    })
    expect(rig.clock.now() - started).toBeGreaterThan(30 * DAY)
  })

  it('goes on when the database has been away', async () => {
    await using rig = await open()
    await rig.store.topics.add(manyFound(1), null, rig.clock.now())
    let away = true
    const jobs = {
      ...rig.store.jobs,
      claim: (options: Parameters<TopicStore['jobs']['claim']>[0]) =>
        away ? Promise.reject(new Error('Connection refused')) : rig.store.jobs.claim(options),
    }
    const { runner, ends } = rig.runner({ store: { ...rig.store, jobs }, handle: async () => async () => {} })
    await runner.start()
    await until(() => rig.clock.next === 1000)
    expect(rig.logger.messages('warn')).toEqual(['Could not take jobs'])
    away = false
    await rig.clock.advance(1000)
    await until(() => ends.length === 1)
  })
})

/** The same clock as a plain object. */
function bound(clock: FakeClock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  }
}

async function open() {
  const place = await SQLITE.create()
  const store = await place.open()
  const clock = new FakeClock()
  const logger = new RecordingLogger()
  const runners: JobRunner[] = []
  return {
    store,
    clock,
    logger,
    open: () => place.open(),
    runner(options: Pick<JobRunnerOptions, 'handle'> & Partial<JobRunnerOptions>) {
      const ends: JobEnd[] = []
      const runner = new JobRunner({
        store,
        clock,
        logger,
        owner: 'me',
        lease: LEASE,
        rules: RULES,
        grace: 0,
        classify: (error): Setback => ({ kind: 'retry', message: (error as Error).message }),
        ended: (_job: ClaimedJob, end) => ends.push(end),
        ...options,
      })
      runners.push(runner)
      return { runner, ends }
    },
    async [Symbol.asyncDispose]() {
      for (const runner of runners) {
        const stopped = runner.stop()
        await clock.advance(0)
        await stopped
      }
      await place[Symbol.asyncDispose]()
    },
  }
}
