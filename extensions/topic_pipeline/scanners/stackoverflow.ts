import type { FetchAnswer } from '#core/net'
import type { Fragment } from '../extraction/reading.ts'
import type { FoundTopic } from '../model/topic.ts'
import { PoliteClient, type Verdict } from './polite-client.ts'
import { ScanSession } from './scan-session.ts'
import type { Scanner } from './scanner.ts'
import { addressOf, DISABLED, minutesOf, type ScannerDeps } from './scanner-deps.ts'
import { given, type Json, listOf, numberOf, objectOf, textOf, textsOf, urlOf } from './shape.ts'
import { slugsOf } from './slug.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'stackoverflow'
const DISPLAY_NAME = 'Stack Overflow'
const PAGE = 100
/** Milliseconds to stay away when the quota is exceeded and the answer does not say for how long. */
const EXCEEDED = 3_600_000
const DAY = 24 * 3_600_000

type Config = SourcesConfig['stackoverflow'] & { readonly lookback: number }

/**
 * Questions with their best answers, one search a keyword. Source: https://api.stackexchange.com/docs (2.3): `backoff` may
 * stand in any answer, errors have status 400 whatever they are, titles and bodies are HTML.
 */
export function createStackoverflowScanner(config: Config, deps: ScannerDeps): Scanner {
  const client = new PoliteClient({
    ...deps,
    source: TYPE,
    displayName: DISPLAY_NAME,
    interval: config.request_interval,
    judge: judgeError,
  })
  const common = {
    site: config.site,
    filter: 'withbody',
    order: 'desc',
    key: config.key === '' ? undefined : config.key,
  }
  const ask = async (session: ScanSession, path: string, query: Readonly<Record<string, string | undefined>>) => {
    const url = addressOf(config.endpoint, `/2.3${path}`, { ...common, ...query })
    const answer = await client.askJson(session, url, {}, itemsOf)
    if (answer === undefined) return []
    const { items, backoff, quotaRemaining } = answer.value
    session.quotaRemaining = quotaRemaining ?? session.quotaRemaining
    if (backoff > 0) await client.hold(backoff * 1000)
    if (quotaRemaining === 0) {
      const now = deps.clock.now()
      await client.pause(`${DISPLAY_NAME}: the daily quota is used up`, now - (now % DAY) + DAY)
    }
    return items
  }
  return {
    type: TYPE,
    displayName: DISPLAY_NAME,
    minimumInterval: minutesOf(config.scan_interval),
    minimumLength: 80,
    unavailable: () => (config.enabled ? undefined : DISABLED),
    async scan(request) {
      const session = new ScanSession(request)
      const { keywords, maxResults } = request
      const excluded = slugsOf(request.negativeKeywords, '-').join(';')
      const questions = new Map<string, Json>()
      await session.gather(keywords.length === 0 ? [undefined] : session.firstOf(keywords), async keyword => {
        const found = await ask(session, '/search/advanced', {
          sort: config.sort === 'relevance' && keyword === undefined ? 'creation' : config.sort,
          q: keyword === undefined || !keyword.includes(' ') ? keyword : `"${keyword.replaceAll('"', '')}"`,
          nottagged: excluded === '' ? undefined : excluded,
          fromdate: String(Math.floor((deps.clock.now() - config.lookback) / 1000)),
          pagesize: String(Math.min(PAGE, maxResults)),
        })
        for (const question of found) {
          const id = numberOf(question.question_id)
          if (id !== undefined) questions.set(String(id), question)
        }
        return []
      })
      const topics = await topicsOf([...questions.values()], deps)
      const result = await session.result(topics)
      if (!config.answers || result.topics.length === 0) return result
      return session.result(await withAnswers(result.topics, session, ask, deps))
    },
  }
}

type Ask = (
  session: ScanSession,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
) => Promise<readonly Json[]>

/** Adds the accepted or else the best answer of each question. Without answers the questions are worth having, too. */
async function withAnswers(topics: readonly FoundTopic[], session: ScanSession, ask: Ask, deps: ScannerDeps) {
  try {
    const ids = topics.slice(0, PAGE).map(topic => topic.externalId)
    const answers = await ask(session, `/questions/${ids.join(';')}/answers`, { sort: 'votes', pagesize: String(PAGE) })
    const best = new Map<string, Json>()
    for (const answer of answers) {
      const id = String(numberOf(answer.question_id))
      if (!best.has(id) || answer.is_accepted === true) best.set(id, answer)
    }
    const texts = await deps.reader.fragments(
      [...best.values()].map(({ body }) => ({ html: textOf(body) ?? '', as: 'markdown' })),
    )
    const markdown = new Map([...best.keys()].map((id, index) => [id, texts[index]!]))
    return topics.map(topic => {
      const text = markdown.get(topic.externalId)
      if (text === undefined || text === '') return topic
      const heading = best.get(topic.externalId)!.is_accepted === true ? '## Accepted answer' : '## Answer'
      return { ...topic, content: `${topic.content ?? ''}\n\n${heading}\n\n${text}`.trim() }
    })
  } catch (error) {
    session.signal.throwIfAborted()
    session.problems.push(error instanceof Error ? error.message : String(error))
    return topics
  }
}

async function topicsOf(questions: readonly Json[], deps: ScannerDeps): Promise<FoundTopic[]> {
  const pieces: Fragment[] = questions.flatMap(question => [
    { html: textOf(question.title) ?? '', as: 'title' },
    { html: textOf(question.body) ?? '', as: 'markdown' },
    { html: textOf(objectOf(question.owner).display_name) ?? '', as: 'title' },
  ])
  const texts = await deps.reader.fragments(pieces)
  const topics = questions.map((question, index) => {
    const [title = '', content = '', author = ''] = texts.slice(3 * index, 3 * index + 3)
    return topicOf(question, title, content, author)
  })
  return topics.filter(topic => topic !== undefined)
}

function topicOf(question: Json, title: string, content: string, author: string): FoundTopic | undefined {
  const url = urlOf(question.link)
  const created = numberOf(question.creation_date)
  if (url === undefined || title === '') return undefined
  return given<FoundTopic>({
    sourceType: TYPE,
    externalId: String(question.question_id),
    title,
    url,
    sourceDate: created === undefined ? undefined : created * 1000,
    content: content === '' ? undefined : content,
    complete: content === '' ? undefined : true,
    tags: textsOf(question.tags),
    author: author === '' ? undefined : author,
    authorUrl: urlOf(objectOf(question.owner).link),
    licence: textOf(question.content_license) ?? 'CC BY-SA 4.0',
    engagement: given({
      score: numberOf(question.score),
      comments: numberOf(question.answer_count),
      views: numberOf(question.view_count),
      accepted: question.accepted_answer_id === undefined ? undefined : true,
    }),
  })
}

function itemsOf(json: unknown) {
  const { items, backoff, quota_remaining } = objectOf(json)
  if (!Array.isArray(items)) throw new Error('answered without items')
  return { items: listOf(items), backoff: numberOf(backoff) ?? 0, quotaRemaining: numberOf(quota_remaining) }
}

/** Source: https://api.stackexchange.com/docs/error-handling and /docs/throttle. */
function judgeError(answer: FetchAnswer, now: number): Verdict | undefined {
  if (answer.status !== 400) return undefined
  const error = errorOf(answer)
  const message = textOf(error.error_message)?.slice(0, 200) ?? 'no reason given'
  switch (numberOf(error.error_id)) {
    case 502: {
      const seconds = Number(/available in (\d{1,9}) seconds/.exec(message)?.[1] ?? Number.NaN)
      const until = now + (Number.isNaN(seconds) ? EXCEEDED : seconds * 1000)
      return { kind: 'paused', message: `wants fewer requests: ${message}`, until }
    }
    case 503:
      return { kind: 'paused', message: `is not available: ${message}`, until: now + EXCEEDED / 12 }
    case 401:
    case 402:
    case 403:
    case 405:
      return { kind: 'paused', message: `refuses the key (unauthorized): ${message}` }
    default:
      return { kind: 'failed', message: `answered with an error: ${message}` }
  }
}

function errorOf(answer: FetchAnswer) {
  try {
    return objectOf(JSON.parse(Buffer.from(answer.body).toString()))
  } catch {
    return objectOf(undefined)
  }
}
