import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock, until } from '#core/testing'
import type { GenerationOrder } from '../model/job.ts'
import { SQLITE } from '../store/conformance/place.test-support.ts'
import { draft, found, MINUTE, NOW, RULES } from '../store/conformance/samples.test-support.ts'
import type { TopicStore } from '../store/store.ts'
import { GenerationDesk } from './generation-desk.ts'

const ORDER: GenerationOrder = { topicId: 1, groupId: null, format: 'newsletter' }

let place: Awaited<ReturnType<typeof SQLITE.create>>
let store: TopicStore
let clock: FakeClock

beforeEach(async () => {
  place = await SQLITE.create()
  store = await place.open()
  clock = new FakeClock(NOW)
  await store.topics.add([found(1)], null, NOW)
})
afterEach(() => place[Symbol.asyncDispose]())

/** A desk of one process; the text of its drafts is the feedback. */
function openDesk(): GenerationDesk {
  return new GenerationDesk({
    ...{ store, clock, regenerations: 5 },
    unavailable: async () => undefined,
    write: async order => draft({ ...order, parentId: null, text: order.feedback ?? '' }),
  })
}

const jobs = async () =>
  store.jobs.claim({ stages: ['GENERATE'], owner: 'b', now: clock.now(), leaseUntil: NOW + MINUTE, limit: 9 })

test('who waits gets the draft that was ordered, although another process writes several', async () => {
  const [here, there] = [openDesk(), openDesk()]
  const orders = ['one', 'two', 'three'].map(feedback => ({ ...ORDER, feedback }))
  const waiting = Promise.all(orders.map(order => here.order(order)))
  const claimed: Awaited<ReturnType<typeof jobs>>[number][] = []
  await until(async () => claimed.push(...(await jobs())) === 3)
  for (const job of claimed.reverse()) {
    await store.jobs.finish(job, clock.now(), await there.handle(job, new AbortController().signal))
  }
  // Nobody tells the desk that waits: it looks.
  let texts: readonly string[] | undefined
  void waiting.then(drafts => {
    texts = drafts.map(({ text }) => text)
  })
  await until(async () => {
    await clock.advance(1000)
    return texts !== undefined
  })
  expect(texts).toEqual(['one', 'two', 'three'])
})

test('who waits hears of a job that failed in another process', async () => {
  const answer = openDesk().order(ORDER)
  const refused = expect(answer).rejects.toMatchObject({ status: 502, message: 'It broke' })
  const claimed: Awaited<ReturnType<typeof jobs>>[number][] = []
  await until(async () => claimed.push(...(await jobs())) === 1)
  await store.jobs.fail(claimed[0]!, { kind: 'permanent', message: 'It broke' }, clock.now(), RULES)
  let told = false
  void refused.then(() => {
    told = true
  })
  await until(async () => {
    await clock.advance(1000)
    return told
  })
})

test('who waits when the collector stops is told that the draft comes later', async () => {
  const desk = openDesk()
  const answer = expect(desk.order(ORDER)).rejects.toMatchObject({ status: 503, code: 'STOPPING' })
  await until(async () => (await jobs()).length === 1)
  desk.close()
  await answer
  await expect(desk.order(ORDER)).rejects.toMatchObject({ code: 'STOPPING' })
  expect(await store.jobs.counts()).toContainEqual({ stage: 'GENERATE', status: 'PROCESSING', count: 1 })
})
