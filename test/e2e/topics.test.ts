import { describe, expect, test } from 'vitest'
import { startFakeOpenAi } from '../../extensions/topic_pipeline/language_model/fake-openai.test-support.ts'
import { startSources } from '../../extensions/topic_pipeline/scanners/sources.test-support.ts'
import { runTopics, type Topics } from './topics.ts'

const CATEGORY = {
  name: 'Observability',
  description: 'Traces, metrics, logs',
  keywords: 'opentelemetry',
  scanFrequency: 60,
}
const PRIVATE = { allow_private: ['127.0.0.0/8'], host_interval: '0s' }

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
type Body = any

/** What a model says of a topic that belongs. */
const RUBRIC = {
  on_topic: 4,
  depth: 3,
  novelty: 3,
  promotional: false,
  language: 'en',
  summary: 'About telemetry.',
  tags: ['opentelemetry'],
}

async function upload(topics: Topics): Promise<number[]> {
  const ids: number[] = []
  for (const subject of ['opentelemetry collectors', 'tail sampling', 'dashboards']) {
    const content = `# On ${subject}\n\n${`I broke ${subject} again. Don't ask me how. So here's what I do now: I look at the tail first. You won't see it in the mean, will you? `.repeat(12)}`
    ids.push((await topics.ask('POST', '/api/content', { content })).id)
  }
  for (const id of ids) await topics.ask('POST', `/api/content/${id}/analyze`)
  return ids
}

describe('from sources to a draft', () => {
  test('without a key, a server or a language model', async () => {
    await using sources = await startSources({ topics: 8 })
    await using topics = await runTopics({ sources: sources.config, fetch: PRIVATE })
    const category = await topics.ask('POST', '/api/categories', CATEGORY)
    await topics.idle()

    const history: Body[] = await topics.ask('GET', '/api/pipeline/scan-history')
    expect(history.filter(run => run.status !== 'COMPLETED').map(run => `${run.source} ${run.error_details}`)).toEqual(
      [],
    )
    const found = history.reduce((sum, run) => sum + run.topics_new, 0)
    const stages: Body[] = await topics.ask('GET', '/api/pipeline/topics-by-stage')
    expect(stages.reduce((sum, each) => sum + each.count, 0)).toBe(found)
    expect(await topics.ask('GET', '/api/pipeline/errors')).toEqual([])
    const feed = await topics.ask('GET', '/api/topics?size=100')
    expect(feed.total).toBe(stages.find(each => each.pipeline_stage === 'analyzed').count)
    expect(feed.total).toBeGreaterThan(10)
    for (const topic of feed.topics) {
      expect(topic).toMatchObject({ category_id: category.id, pipeline_stage: 'analyzed' })
      expect(topic.quality_score).toBeGreaterThanOrEqual(0.5)
      expect(topic.summary).not.toBe('')
      expect(topic.tags).not.toBe('')
    }

    const ids = await upload(topics)
    const profile = await topics.ask('GET', '/api/content/style-profile')
    expect([profile.hasProfile, Object.keys(JSON.parse(profile.profile)).length]).toEqual([true, 9])
    const about = feed.topics[0].id
    for (const format of ['blog_post', 'youtube_script', 'linkedin_post', 'newsletter']) {
      const draft = await topics.ask('POST', '/api/generate', { topicId: about, format })
      expect(draft.model_used).toMatch(/local|template/)
      expect(draft.sources[0]).toMatchObject({ marker: 'S1', topic_id: about })
      expect(draft.references.every((each: Body) => ids.includes(each.content_id))).toBe(true)
      expect(draft.style_match.status).toBe('measured')
      if (format === 'linkedin_post') expect([...draft.generated_text].length).toBeLessThan(3000)
      const citations = draft.checks.find((each: Body) => each.name === 'citations')
      expect(citations).toMatchObject({ ok: true })
    }
    const [last] = await topics.ask('GET', '/api/generate?limit=1')
    const again = await topics.ask('POST', `/api/generate/${last.id}/regenerate`, { feedback: 'Name the limits.' })
    expect([again.parent_id, again.revision]).toEqual([last.id, 1])
    expect(await topics.ask('GET', `/api/generate/${again.id}/export`)).toContain('## Sources')
  })

  test('with a language model that misbehaves', async () => {
    // Each kind of trouble comes again and again; between them there are sane answers.
    await using model = await startFakeOpenAi((request, number) => {
      const trouble = [
        { status: 429, headers: { 'retry-after': '0' } },
        { status: 500 },
        'prose',
        'half',
        { slow: 30 },
        'wrong-schema',
      ] as const
      if (number % 3 === 0) return trouble[(number / 3) % trouble.length]!
      return JSON.stringify(request.body).includes('on_topic') ? { text: JSON.stringify(RUBRIC) } : 'sane'
    })
    await using sources = await startSources({ topics: 3 })
    const primary = {
      type: 'openai',
      base_url: model.url,
      api_key: 'k',
      models: { default: 'gpt-test', embedding: 'embed-test' },
    }
    const language_model = { primary, timeout: '5s', deadline: '20s' }
    await using topics = await runTopics({
      ...{ sources: sources.config, fetch: PRIVATE, language_model },
      jobs: { retry_delay: '50ms', max_retry_delay: '100ms' },
    })
    await topics.ask('POST', '/api/categories', CATEGORY)
    await topics.idle()
    const feed = await topics.ask('GET', '/api/topics?size=100')
    expect(feed.total).toBeGreaterThan(0)
    const detail = await topics.ask('GET', `/api/topics/${feed.topics[0].id}`)
    expect(detail.reasons.method).toMatch(/llm|heuristic/)
    await upload(topics).catch(() => {})
    const answers = []
    for (let i = 0; i < 4; i++)
      answers.push(await topics.try('POST', '/api/generate', { topicId: feed.topics[0].id, format: 'linkedin_post' }))
    expect(answers.every(({ status }) => [201, 502, 503].includes(status))).toBe(true)
    const draft = answers.find(({ status }) => status === 201)!.body
    expect(draft.model_used).toContain('gpt-test')
    expect(draft.usage.output_tokens).toBeGreaterThan(0)
    expect(JSON.stringify(topics.running.logs)).not.toContain('Bearer')
  })

  test('with sources in every kind of trouble the others go on, and each says why', async () => {
    const faults: Record<string, 'too_many' | 'broken' | 'html' | 'truncated' | 'quota' | undefined> = {
      stackoverflow: 'quota',
      reddit: 'too_many',
      medium: 'html',
      hashnode: 'broken',
      youtube: 'quota',
      rss: 'truncated',
    }
    await using sources = await startSources({ topics: 5, fault: ({ source }) => faults[source] })
    await using topics = await runTopics({ sources: sources.config, fetch: PRIVATE })
    await topics.ask('POST', '/api/categories', CATEGORY)
    await topics.idle()
    const history: Body[] = await topics.ask('GET', '/api/pipeline/scan-history')
    const status = Object.fromEntries(history.map(run => [run.source, run.status]))
    expect(status).toMatchObject({
      devto: 'COMPLETED',
      stackoverflow: 'SKIPPED',
      reddit: 'SKIPPED',
      youtube: 'SKIPPED',
    })
    const silent = history.filter(run => run.source !== 'devto' && (run.error_details ?? '') === '')
    expect(silent).toEqual([])
    expect((await topics.ask('GET', '/api/topics')).total).toBeGreaterThan(0)
    expect((await topics.ask('POST', '/api/pipeline/scan')).triggered).toBe(true)
  })

  test('with no provider, calls that need one are answered 503, and the rest works', async () => {
    await using sources = await startSources({ topics: 4 })
    const language_model = { primary: { type: 'none' } }
    await using topics = await runTopics({ sources: sources.config, fetch: PRIVATE, language_model })
    await topics.ask('POST', '/api/categories', CATEGORY)
    await topics.idle()
    const feed = await topics.ask('GET', '/api/topics')
    expect(feed.total).toBeGreaterThan(0)
    const { id } = await topics.ask('POST', '/api/content', { content: 'Mine' })
    const refused = { status: 503, body: { error: expect.any(String), code: 'LLM_UNAVAILABLE' } }
    expect(await topics.try('POST', `/api/content/${id}/analyze`)).toEqual(refused)
    expect(await topics.try('POST', '/api/generate', { topicId: feed.topics[0].id })).toEqual(refused)
    expect(await topics.ask('GET', '/api/content/style-profile')).toEqual({ profile: '', hasProfile: false })
  })
})
