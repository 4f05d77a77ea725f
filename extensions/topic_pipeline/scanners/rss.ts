import { canonicalUrl } from './canonical-url.ts'
import { itemsOfFeed, topicOfItem } from './feed-topics.ts'
import { PoliteClient } from './polite-client.ts'
import { ScanSession } from './scan-session.ts'
import type { Scanner } from './scanner.ts'
import { minutesOf, type ScannerDeps } from './scanner-deps.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'rss'

/**
 * Any feeds. They are of different people, so each host has a memory of its own: one that wants to be left alone does
 * not stand in the way of the others.
 */
export function createRssScanner(
  config: NonNullable<SourcesConfig['rss']> & { readonly lookback: number },
  deps: ScannerDeps,
): Scanner {
  const clients = new Map<string, PoliteClient>()
  for (const { host } of config.feeds.map(feed => new URL(feed))) {
    const client = new PoliteClient({
      ...deps,
      fetcher: deps.guarded,
      source: `${TYPE}/${host}`,
      displayName: host,
      interval: config.request_interval,
    })
    if (!clients.has(host)) clients.set(host, client)
  }
  return {
    type: TYPE,
    displayName: 'RSS',
    minimumInterval: minutesOf(config.scan_interval),
    unavailable: () => undefined,
    async scan(request) {
      const session = new ScanSession(request)
      const since = deps.clock.now() - config.lookback
      const found = await session.gather(
        config.feeds,
        async feed => {
          const items = await itemsOfFeed(feed, clients.get(new URL(feed).host)!, session, deps.reader)
          // Feeds number their items each for itself, and the same item may stand in two feeds.
          return items.map(item => ({ ...topicOfItem(TYPE, item), externalId: canonicalUrl(item.url) }))
        },
        { independent: true },
      )
      return session.result(found.filter(({ sourceDate = since }) => sourceDate >= since))
    },
    async extract({ content }) {
      if (config.fetch_pages || content === undefined) return undefined
      return { text: content, status: 'PARTIAL' }
    },
  }
}
