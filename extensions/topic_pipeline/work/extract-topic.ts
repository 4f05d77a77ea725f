import type { Clock } from '#core/component'
import type { Effects, JobHandler } from '../jobs/job-runner-options.ts'
import type { Topic } from '../model/topic.ts'
import { type Extraction, type Scanner, Unobtainable } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'
import { NOTHING } from './handler.ts'

export interface ExtractDeps {
  readonly store: TopicStore
  readonly clock: Clock
  readonly scanners: ReadonlyMap<string, Scanner>
  extractPage(url: string, signal: AbortSignal): Promise<Extraction>
}

/** EXTRACT: gets the whole text of a topic, by the cheapest way there is, and has it analysed. */
export function createExtractHandler(deps: ExtractDeps): JobHandler {
  const { store, clock } = deps
  return async (job, signal) => {
    const topic = job.topicId === null ? undefined : await store.topics.get(job.topicId)
    if (topic === undefined || topic.stage !== 'scanned') return NOTHING
    const done =
      (content: { text: string; status: 'COMPLETED' | 'PARTIAL' }): Effects =>
      async tables => {
        await tables.topics.extracted(topic.id, content)
        const traceparent = job.traceparent ?? undefined
        await tables.jobs.enqueue('ANALYZE', topic.id, clock.now(), traceparent === undefined ? {} : { traceparent })
      }
    try {
      return done(await textOf(topic, deps, signal))
    } catch (error) {
      if (!(error instanceof Unobtainable)) throw error
      const { content } = topic
      if (content !== undefined && content.trim() !== '') return done({ text: content, status: 'PARTIAL' })
      return tables => tables.topics.rejected(topic.id, `extraction: ${error.message}`, {})
    }
  }
}

async function textOf(
  topic: Topic,
  deps: ExtractDeps,
  signal: AbortSignal,
): Promise<{ text: string; status: 'COMPLETED' | 'PARTIAL' }> {
  const { content, complete, externalId, url } = topic
  if (complete && content !== undefined) return { text: content, status: 'COMPLETED' }
  const scanner = deps.scanners.get(topic.sourceType)
  const request = { externalId, url, signal, ...(content !== undefined && { content }) }
  const { text, status } = (await scanner?.extract?.(request)) ?? (await deps.extractPage(url, signal))
  return { text, status }
}
