import { type Static, t } from '#core/config'

/** What every source has. */
function common(o: { endpoint: string; interval: string; scanInterval?: string; enabled?: boolean; why?: string }) {
  const { endpoint, interval, scanInterval = '15m', enabled = true, why = '' } = o
  return {
    enabled: t.boolean({ default: enabled, description: `Whether it is scanned.${why}` }),
    endpoint: t.endpoint({
      default: endpoint,
      description: 'Where it is asked. An address that you write here may be a private one.',
    }),
    request_interval: t.duration({ default: interval, description: 'Least time between two requests.' }),
    scan_interval: t.duration({ default: scanInterval, description: 'Least time between two scans of a category.' }),
  }
}

const stackoverflow = t.section(
  {
    ...common({ endpoint: 'https://api.stackexchange.com', interval: '1s' }),
    key: t.secret({
      default: '',
      description: 'Key of an application: 10000 requests a day instead of 300 for each address.',
    }),
    site: t.string({ default: 'stackoverflow', description: 'Site of the Stack Exchange network.' }),
    sort: t.oneOf(['creation', 'relevance', 'votes', 'activity'], {
      default: 'creation',
      description: 'Which questions come first.',
    }),
    answers: t.boolean({
      default: true,
      description: 'Fetch the best answer of each question, too, with one more request a scan.',
    }),
  },
  { description: 'Questions of Stack Overflow or another site of its network, by the Stack Exchange API.' },
)

const SUBREDDITS = 'programming devops kubernetes cloudnative golang java python rust webdev machinelearning'.split(' ')

const reddit = t.section(
  {
    ...common({
      endpoint: 'https://oauth.reddit.com',
      interval: '6s',
      enabled: false,
      why: ' Off by default: it wants an approved client, and its policy restricts what is done with posts. Enabling it is your decision.',
    }),
    mode: t.oneOf(['oauth', 'feed'], {
      default: 'oauth',
      description:
        '`oauth`: an approved client; `feed`: search feeds, which hardly work without a personal feed token.',
    }),
    client_id: t.string({ default: '', description: 'Id of the approved client, for `oauth`.' }),
    client_secret: t.secret({ default: '', description: 'Its secret.' }),
    auth_endpoint: t.endpoint({ default: 'https://www.reddit.com', description: 'Where tokens come from.' }),
    feed_endpoint: t.endpoint({ default: 'https://www.reddit.com', description: 'Where feeds come from.' }),
    feed_user: t.string({ default: '', description: 'User of the personal feed token.' }),
    feed_token: t.secret({ default: '', description: 'Personal feed token, from `/prefs/feeds`.' }),
    subreddits: t.list(t.string({ description: 'A name.' }), {
      default: SUBREDDITS,
      minItems: 1,
      description: 'Where it looks.',
    }),
  },
  { description: 'Posts of Reddit.' },
)

const medium = t.section(
  {
    ...common({ endpoint: 'https://medium.com', interval: '2s' }),
    feeds: t.list(t.string({ description: 'A feed.' }), {
      default: [],
      description: 'Feeds beside those of tags: `@user`, `publication` or `publication/tagged/tag`.',
    }),
    fetch_pages: t.boolean({
      default: false,
      description: 'Fetch pages of stories of which the feed has an excerpt only. Its terms restrict that.',
    }),
  },
  { description: 'Stories of Medium, by its feeds.' },
)

const devto = t.section(
  {
    ...common({ endpoint: 'https://dev.to', interval: '1s' }),
    state: t.oneOf(['fresh', 'rising', 'all'], { default: 'fresh', description: 'Which articles are asked for.' }),
  },
  { description: 'Articles of DEV, or another community on Forem.' },
)

const hashnode = t.section(
  { ...common({ endpoint: 'https://gql-beta.hashnode.com', interval: '1s' }) },
  { description: 'Posts of Hashnode, by its GraphQL API.' },
)

const youtube = t.section(
  {
    ...common({ endpoint: 'https://www.googleapis.com', interval: '1s', scanInterval: '1h' }),
    api_key: t.secret({
      default: '',
      description: 'Key of the YouTube Data API. Without it only `channels` are scanned.',
    }),
    daily_searches: t.integer({
      default: 100,
      minimum: 0,
      description: 'Searches that the key is granted a day; each scan of a category needs one.',
    }),
    order: t.oneOf(['date', 'relevance', 'viewCount'], { default: 'date', description: 'Which videos come first.' }),
    duration: t.oneOf(['any', 'medium', 'long'], {
      default: 'any',
      description: '`medium`: 4 to 20 minutes; `long`: more.',
    }),
    language: t.string({ default: 'en', description: 'Language that results should have; empty: any.' }),
    channels: t.list(t.string({ description: 'A channel id, `UC...`.' }), {
      default: [],
      description: 'Channels whose feeds are read, too; that needs no key.',
    }),
    feed_endpoint: t.endpoint({ default: 'https://www.youtube.com', description: 'Where feeds come from.' }),
  },
  { description: 'Videos of YouTube, by their titles and descriptions: no key opens transcripts.' },
)

const rss = t.section({
  feeds: t.list(t.string({ description: 'URL of a feed.' }), {
    minItems: 1,
    description: 'Feeds in RSS, Atom or JSON Feed. Their addresses must be public, or in `fetch::allow_private`.',
  }),
  request_interval: t.duration({ default: '1s', description: 'Least time between two requests.' }),
  scan_interval: t.duration({ default: '15m', description: 'Least time between two scans of a category.' }),
  fetch_pages: t.boolean({
    default: true,
    description: 'Fetch pages of items of which the feed has an excerpt only.',
  }),
})

/** The options of all sources. */
export const sourcesConfig = t.section(
  {
    lookback: t.duration({
      default: '168h',
      description: 'How old topics may be, at sources that can be asked for it, and in feeds.',
    }),
    stackoverflow,
    reddit,
    medium,
    devto,
    hashnode,
    youtube,
    rss: t.whenPresent(rss, { description: 'Any other feeds.' }),
  },
  { description: 'Where topics come from.' },
)
export type SourcesConfig = Static<typeof sourcesConfig>

/** Faults across options, each beginning with the path of its option. */
export function* checkSources(config: SourcesConfig): Iterable<string> {
  for (const [source, section] of Object.entries(config)) {
    if (typeof section !== 'object') continue
    for (const [name, value] of Object.entries(section)) {
      if (name.endsWith('endpoint') && !isHttpUrl(value))
        yield `${source}::${name}: must be a http or https URL, is ${value}`
    }
  }
  for (const [index, url] of config.rss?.feeds.entries() ?? []) {
    if (!isHttpUrl(url)) yield `rss::feeds::${index}: must be a http or https URL, is ${url}`
  }
  for (const [index, name] of config.reddit.subreddits.entries()) {
    if (!/^\w{2,21}$/.test(name)) yield `reddit::subreddits::${index}: must be the name of a subreddit, is ${name}`
  }
  for (const [index, id] of config.youtube.channels.entries()) {
    if (!/^UC[\w-]+$/.test(id)) yield `youtube::channels::${index}: must be the id of a channel, UC..., is ${id}`
  }
  for (const [index, feed] of config.medium.feeds.entries()) {
    if (!/^@?[\w.-]+(\/tagged\/[\w-]+)?$/.test(feed)) {
      yield `medium::feeds::${index}: must be @user, publication or publication/tagged/tag, is ${feed}`
    }
  }
}

function isHttpUrl(value: unknown): boolean {
  return /^https?:$/.test(URL.parse(String(value))?.protocol ?? '')
}
