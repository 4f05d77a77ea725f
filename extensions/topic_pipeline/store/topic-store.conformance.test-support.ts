import { describeCategories } from './conformance/categories.test-support.ts'
import { describeConcurrency } from './conformance/concurrency.test-support.ts'
import { describeFeed } from './conformance/feed.test-support.ts'
import { describeJobMachine } from './conformance/job-machine.test-support.ts'
import { describeJobs } from './conformance/jobs.test-support.ts'
import type { TestDatabase } from './conformance/place.test-support.ts'
import { describeRecords } from './conformance/records.test-support.ts'
import { describeTopics } from './conformance/topics.test-support.ts'
import { describeVectors } from './conformance/vectors.test-support.ts'
import { describeWriting } from './conformance/writing.test-support.ts'

/** What a {@link import('./store.ts').TopicStore} promises, on any database. */
export function describeTopicStore(database: TestDatabase): void {
  describeCategories(database)
  describeTopics(database)
  describeFeed(database)
  describeJobs(database)
  describeJobMachine(database)
  describeRecords(database)
  describeWriting(database)
  describeVectors(database)
  describeConcurrency(database)
}
