import type { FoundTopic } from '../model/topic.ts'
import { itemsOfFeed, topicOfItem } from './feed-topics.ts'
import { PoliteClient } from './polite-client.ts'
import { ScanSession } from './scan-session.ts'
import type { Scanner } from './scanner.ts'
import { addressOf, DISABLED, minutesOf, type ScannerDeps } from './scanner-deps.ts'
import { slugsOf } from './slug.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'medium'
const DISPLAY_NAME = 'Medium'

/** Stories of Medium. It has no API to read: keywords become tags, whose feeds have the ten newest stories each. */
export function createMediumScanner(
  config: SourcesConfig['medium'] & { readonly lookback: number },
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
      const paths = [...session.firstOf(slugsOf(request.keywords, '-')).map(slug => `tag/${slug}`), ...config.feeds]
      if (paths.length === 0) session.problems.push('The category has no keywords, and Medium is scanned by tag')
      const since = deps.clock.now() - config.lookback
      const found = await session.gather(paths, async path => {
        const url = addressOf(config.endpoint, `/feed/${path}`)
        const items = await itemsOfFeed(url, client, session, deps.reader)
        return items.map(item => storyOf(topicOfItem(TYPE, item)))
      })
      return session.result(found.filter(({ sourceDate = since }) => sourceDate >= since))
    },
    async extract({ content }) {
      if (config.fetch_pages || content === undefined) return undefined
      return { text: content, status: 'PARTIAL' }
    },
  }
}

/** Links say which feed they were found in. */
function storyOf(topic: FoundTopic): FoundTopic {
  const url = new URL(topic.url)
  url.searchParams.delete('source')
  return { ...topic, url: url.href }
}
