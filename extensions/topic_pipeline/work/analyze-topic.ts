import type { Analyzer } from '../analysis/create-analyzer.ts'
import type { JobHandler } from '../jobs/job-runner-options.ts'
import type { TopicStore } from '../store/store.ts'
import { NOTHING } from './handler.ts'

export interface AnalyzeDeps {
  readonly store: TopicStore
  readonly analyzer: Analyzer
  readonly maxAttempts: number
}

/** ANALYZE: judges a topic and groups it. */
export function createAnalyzeHandler({ store, analyzer, maxAttempts }: AnalyzeDeps): JobHandler {
  return async (job, signal) => {
    const topic = job.topicId === null ? undefined : await store.topics.get(job.topicId)
    if (topic === undefined || topic.stage !== 'extracted') return NOTHING
    const category = topic.categoryId === null ? undefined : await store.categories.get(topic.categoryId)
    return analyzer.analyze(topic, category, signal, {
      lastAttempt: job.attempts + 1 >= maxAttempts,
      ...(job.traceparent !== null && { traceparent: job.traceparent }),
    })
  }
}
