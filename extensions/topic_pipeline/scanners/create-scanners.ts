import { createDevtoScanner } from './devto.ts'
import { createHashnodeScanner } from './hashnode.ts'
import { createMediumScanner } from './medium.ts'
import { createRedditScanner } from './reddit.ts'
import { createRssScanner } from './rss.ts'
import type { Scanner } from './scanner.ts'
import type { ScannerDeps } from './scanner-deps.ts'
import type { SourcesConfig } from './sources-config.ts'
import { createStackoverflowScanner } from './stackoverflow.ts'
import { createYoutubeScanner } from './youtube.ts'

/** The scanners in the order in which they are listed: the six, whether they can scan or not, and feeds when there are some. */
export function createScanners(config: SourcesConfig, deps: ScannerDeps): Scanner[] {
  const { lookback, rss } = config
  return [
    createStackoverflowScanner({ ...config.stackoverflow, lookback }, deps),
    createRedditScanner({ ...config.reddit, lookback }, deps),
    createMediumScanner({ ...config.medium, lookback }, deps),
    createDevtoScanner({ ...config.devto, lookback }, deps),
    createHashnodeScanner({ ...config.hashnode, lookback }, deps),
    createYoutubeScanner({ ...config.youtube, lookback }, deps),
    ...(rss === undefined ? [] : [createRssScanner({ ...rss, lookback }, deps)]),
  ]
}
