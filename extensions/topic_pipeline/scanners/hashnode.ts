import type { FoundTopic } from '../model/topic.ts'
import { PoliteClient } from './polite-client.ts'
import { ScanSession } from './scan-session.ts'
import { type Scanner, SourcePaused } from './scanner.ts'
import { addressOf, DISABLED, minutesOf, type ScannerDeps } from './scanner-deps.ts'
import { given, type Json, listOf, numberOf, objectOf, textOf, timeOf, urlOf } from './shape.ts'
import { slugsOf } from './slug.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'hashnode'
const DISPLAY_NAME = 'Hashnode'
/** Most posts of a page; the API clamps more. */
const PAGE = 50

const POST = `id title url brief publishedAt reactionCount replyCount responseCount
  author { username name } tags { slug name } content { markdown }`
const BY_TAG = `query PostsOfTag($slug: String!, $first: Int!) {
  tag(slug: $slug) { posts(first: $first) { edges { node { ${POST} } } } }
}`
const NEWEST = `query NewestPosts($first: Int!) { feed(first: $first) { edges { node { ${POST} } } } }`

/**
 * Posts of Hashnode. What is free of its API knows no text search: keywords become tags, one request each, and are matched
 * here. The API tells errors inside answers with status 200.
 */
export function createHashnodeScanner(
  config: SourcesConfig['hashnode'] & { readonly lookback: number },
  deps: ScannerDeps,
): Scanner {
  const client = new PoliteClient({
    ...deps,
    source: TYPE,
    displayName: DISPLAY_NAME,
    interval: config.request_interval,
  })
  return {
    type: TYPE,
    displayName: DISPLAY_NAME,
    minimumInterval: minutesOf(config.scan_interval),
    unavailable: () => (config.enabled ? undefined : DISABLED),
    async scan(request) {
      const session = new ScanSession(request)
      const slugs = slugsOf(request.keywords, '-')
      const since = deps.clock.now() - config.lookback
      const first = Math.min(PAGE, request.maxResults)
      const found = await session.gather(slugs.length === 0 ? [undefined] : session.firstOf(slugs), async slug => {
        const query = slug === undefined ? NEWEST : BY_TAG
        const body = JSON.stringify({ query, variables: given({ slug, first }) })
        const headers = { 'content-type': 'application/json', accept: 'application/json' }
        const posts = await client.askJson(
          session,
          addressOf(config.endpoint, '/'),
          { method: 'POST', headers, body },
          postsOf,
        )
        return posts?.value.map(topicOf).filter(topic => topic !== undefined) ?? []
      })
      return session.result(found.filter(({ sourceDate = since }) => sourceDate >= since))
    },
  }
}

/** A tag that nobody uses has no posts. */
function postsOf(json: unknown): Json[] {
  const { data, errors } = objectOf(json)
  const [error] = listOf(errors)
  if (error !== undefined) {
    const code = textOf(objectOf(error.extensions).code)
    const message = textOf(error.message)?.slice(0, 200) ?? 'no reason given'
    if (code === 'NOT_FOUND') return []
    if (code === 'FORBIDDEN' || code === 'UNAUTHENTICATED') {
      throw new SourcePaused(`${DISPLAY_NAME} lets nobody in (${code}): ${message}`)
    }
    throw new Error(`answered with an error: ${message}`)
  }
  if (typeof data !== 'object' || data === null) throw new Error('answered without data')
  const { tag, feed } = objectOf(data)
  return listOf(objectOf(feed ?? objectOf(tag).posts).edges).map(edge => objectOf(edge.node))
}

function topicOf(post: Json): FoundTopic | undefined {
  const id = textOf(post.id)
  const title = textOf(post.title)
  const url = urlOf(post.url)
  if (id === undefined || title === undefined || url === undefined) return undefined
  const author = objectOf(post.author)
  const username = textOf(author.username)
  const markdown = textOf(objectOf(post.content).markdown)
  return given<FoundTopic>({
    sourceType: TYPE,
    externalId: id,
    title: title.trim(),
    url,
    sourceDate: timeOf(post.publishedAt),
    content: markdown ?? textOf(post.brief),
    complete: markdown === undefined ? undefined : true,
    tags: listOf(post.tags)
      .map(tag => textOf(tag.name) ?? textOf(tag.slug) ?? '')
      .filter(tag => tag !== ''),
    author: textOf(author.name) ?? username,
    authorUrl: username === undefined ? undefined : `https://hashnode.com/@${encodeURIComponent(username)}`,
    engagement: given({
      score: numberOf(post.reactionCount),
      comments: numberOf(post.responseCount) ?? numberOf(post.replyCount),
    }),
  })
}
