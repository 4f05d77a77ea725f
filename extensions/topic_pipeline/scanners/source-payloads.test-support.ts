/** Answers of the sources, hand-written from their documentation. @module */
import { articleFor, htmlFor, seedOf, titleFor } from './topic-text.test-support.ts'

/** One made-up topic of a source. */
export interface MadeTopic {
  /** Unique among all sources and keywords. */
  readonly seed: number
  readonly keyword: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** What was asked for, by the first seed, so that a single topic is about the same as in its list. */
const KEYWORDS = new Map<number, string>()

/** The topic of a seed that {@link makeTopics} gave. */
export function madeTopic(seed: number, at: number): MadeTopic {
  return { seed, at, keyword: KEYWORDS.get(seed - (seed % 1000)) ?? 'opentelemetry' }
}

/** Topics of a source about a keyword, newest first. */
export function makeTopics(source: string, keyword: string, count: number, now: number): MadeTopic[] {
  const first = seedOf(`${source} ${keyword}`) * 1000
  KEYWORDS.set(first, keyword)
  return Array.from({ length: count }, (_, index) => ({ seed: first + index, keyword, at: now - (index + 1) * 60_000 }))
}

export function stackoverflowPage(
  topics: readonly MadeTopic[],
  quota: { readonly remaining: number; readonly backoff?: number },
) {
  return {
    items: topics.map(({ seed, keyword, at }) => ({
      tags: [slug(keyword), 'observability'],
      owner: {
        account_id: 1,
        reputation: 101,
        user_id: 2,
        user_type: 'registered',
        display_name: 'Ann &amp; Co',
        link: 'https://stackoverflow.com/users/2/ann',
      },
      is_answered: true,
      view_count: 812,
      accepted_answer_id: seed + 1,
      answer_count: 2,
      score: seed % 50,
      last_activity_date: Math.floor(at / 1000),
      creation_date: Math.floor(at / 1000),
      question_id: seed,
      content_license: 'CC BY-SA 4.0',
      link: `https://stackoverflow.com/questions/${seed}/lesson`,
      title: `${titleFor(keyword, seed)} &quot;really&quot;`,
      body: htmlFor(keyword, seed),
    })),
    has_more: false,
    quota_max: 300,
    quota_remaining: quota.remaining,
    ...(quota.backoff === undefined ? {} : { backoff: quota.backoff }),
  }
}

export function stackoverflowAnswers(ids: readonly string[]) {
  return ids.map(id => ({
    owner: { display_name: 'Bob', link: 'https://stackoverflow.com/users/3/bob' },
    is_accepted: true,
    score: 9,
    creation_date: 1_794_800_000,
    answer_id: Number(id) + 1,
    question_id: Number(id),
    content_license: 'CC BY-SA 4.0',
    body: `<p>Set the limit to <code>${id}</code> and measure again.</p>`,
  }))
}

export function devtoList(topics: readonly MadeTopic[]) {
  return topics.map(({ seed, keyword, at }) => ({
    type_of: 'article',
    id: seed,
    title: titleFor(keyword, seed),
    description: `A short text about ${keyword}.`,
    readable_publish_date: 'Nov 18',
    slug: `lesson-${seed}`,
    path: `/ann/lesson-${seed}`,
    url: `https://dev.to/ann/lesson-${seed}`,
    comments_count: 3,
    public_reactions_count: seed % 90,
    positive_reactions_count: seed % 90,
    collection_id: null,
    published_timestamp: new Date(at).toISOString(),
    canonical_url: `https://dev.to/ann/lesson-${seed}`,
    created_at: new Date(at).toISOString(),
    edited_at: null,
    crossposted_at: null,
    published_at: new Date(at).toISOString(),
    last_comment_at: new Date(at).toISOString(),
    reading_time_minutes: 5,
    tag_list: [slug(keyword), 'devops'],
    tags: `${slug(keyword)}, devops`,
    user: { name: 'Ann', username: 'ann', user_id: 1 },
  }))
}

export function devtoArticle({ seed, keyword, at }: MadeTopic) {
  const [article] = devtoList([{ seed, keyword, at }])
  return {
    ...article,
    tag_list: `${slug(keyword)}, devops`,
    tags: [slug(keyword), 'devops'],
    body_markdown: `---\ntitle: x\n---\n${articleFor(keyword, seed)}`,
    body_html: htmlFor(keyword, seed),
  }
}

export function hashnodePosts(topics: readonly MadeTopic[]) {
  return {
    edges: topics.map(({ seed, keyword, at }) => ({
      cursor: String(seed),
      node: {
        id: `hn${seed}`,
        title: titleFor(keyword, seed),
        slug: `lesson-${seed}`,
        url: `https://ann.hashnode.dev/lesson-${seed}`,
        brief: `A short text about ${keyword}.`,
        publishedAt: new Date(at).toISOString(),
        readTimeInMinutes: 6,
        reactionCount: seed % 30,
        replyCount: 1,
        responseCount: 3,
        author: { username: 'ann', name: 'Ann' },
        tags: [{ slug: slug(keyword), name: keyword }],
        content: { markdown: articleFor(keyword, seed) },
      },
    })),
    pageInfo: { hasNextPage: false, endCursor: null },
  }
}

export function redditListing(topics: readonly MadeTopic[]) {
  return {
    kind: 'Listing',
    data: {
      after: null,
      dist: topics.length,
      before: null,
      children: topics.map(({ seed, keyword, at }) => ({
        kind: 't3',
        data: {
          id: seed.toString(36),
          name: `t3_${seed.toString(36)}`,
          subreddit: 'devops',
          title: titleFor(keyword, seed),
          selftext: articleFor(keyword, seed),
          is_self: true,
          author: 'ann',
          score: seed % 100,
          upvote_ratio: 0.93,
          num_comments: 17,
          created_utc: at / 1000,
          permalink: `/r/devops/comments/${seed.toString(36)}/lesson/`,
          url: `https://www.reddit.com/r/devops/comments/${seed.toString(36)}/lesson/`,
          over_18: false,
          stickied: false,
        },
      })),
    },
  }
}

export function youtubeSearch(topics: readonly MadeTopic[]) {
  return {
    kind: 'youtube#searchListResponse',
    etag: 'x',
    regionCode: 'DE',
    pageInfo: { totalResults: topics.length, resultsPerPage: 50 },
    items: topics.map(({ seed, keyword, at }) => ({
      kind: 'youtube#searchResult',
      etag: 'y',
      id: { kind: 'youtube#video', videoId: videoId(seed) },
      snippet: {
        publishedAt: new Date(at).toISOString(),
        channelId: 'UCx',
        title: `${titleFor(keyword, seed)} &amp; more`,
        description: `A video about ${keyword}...`,
        channelTitle: 'Ann',
        liveBroadcastContent: 'none',
      },
    })),
  }
}

export function youtubeVideos(topics: readonly MadeTopic[]) {
  return {
    kind: 'youtube#videoListResponse',
    items: topics.map(({ seed, keyword }) => ({
      id: videoId(seed),
      snippet: {
        title: `${titleFor(keyword, seed)} & more`,
        description: `${articleFor(keyword, seed)}\n\n0:00 Intro\n2:10 ${keyword}`,
        tags: [slug(keyword)],
      },
      contentDetails: { duration: 'PT11M32S', caption: 'true' },
      statistics: { viewCount: '12345', commentCount: '12' },
    })),
  }
}

/** RSS as Medium and blogs send it: the whole text when `full`. */
export function rssFeed(topics: readonly MadeTopic[], linkOf: (topic: MadeTopic) => string, full: boolean): string {
  const items = topics.map(topic => {
    const { seed, keyword, at } = topic
    const body = full
      ? `<content:encoded><![CDATA[${htmlFor(keyword, seed)}]]></content:encoded>`
      : `<description><![CDATA[<p>A short text about ${keyword}.</p>]]></description>`
    return `<item><title><![CDATA[${titleFor(keyword, seed)} &amp; more]]></title><link>${linkOf(topic)}</link>
<guid isPermaLink="false">https://medium.com/p/${seed.toString(16)}</guid><category><![CDATA[${keyword}]]></category>
<dc:creator><![CDATA[Ann]]></dc:creator><pubDate>${new Date(at).toUTCString()}</pubDate>${body}</item>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" version="2.0"><channel>
<title><![CDATA[Observability]]></title><link>https://medium.com/tag/observability/latest</link>
${items.join('\n')}
</channel></rss>`
}

export function pageHtml({ seed, keyword }: MadeTopic): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titleFor(keyword, seed)} | A site</title></head>
<body><nav><a href="/">Home</a></nav><article><h1>${titleFor(keyword, seed)}</h1>${htmlFor(keyword, seed)}</article>
<footer>All rights</footer></body></html>`
}

function videoId(seed: number): string {
  return `v${seed.toString(36).padStart(10, '0')}`
}

function slug(keyword: string): string {
  return keyword.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}
