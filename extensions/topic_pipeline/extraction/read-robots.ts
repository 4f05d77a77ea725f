import parseRobots from 'robots-parser'
import type { RobotsRuling, RobotsTask } from './reading.ts'

/** What robots.txt says of a URL. Source: RFC 9309 §2.2; `Crawl-delay` is no part of it. */
export function readRobots({ text, robotsUrl, url, agent }: RobotsTask): RobotsRuling {
  const robots = (parseRobots as unknown as typeof parseRobots.default)(robotsUrl, text)
  const allowed = robots.isAllowed(url, agent) ?? true
  const seconds = robots.getCrawlDelay(agent)
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0
    ? { allowed, crawlDelay: seconds * 1000 }
    : { allowed }
}
