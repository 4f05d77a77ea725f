/**
 * The program of a reading process: reads what strangers wrote, which may take any time and memory.
 * @module
 */
import { toMarkdown } from './markdown.ts'
import { parseFragment } from './markup.ts'
import { plainTitle } from './plain-text.ts'
import { readFeed } from './read-feed.ts'
import { readPage } from './read-page.ts'
import { readRobots } from './read-robots.ts'
import {
  type Feed,
  type FeedTask,
  type Fragment,
  type Outcome,
  type PageTask,
  type PageText,
  type RobotsRuling,
  type RobotsTask,
  Unreadable,
} from './reading.ts'
import { serveTasks } from './serve-tasks.ts'

/** Characters of a fragment that are read. */
const LONGEST = 200_000

serveTasks({ page, feed, fragments, robots })

function page(task: PageTask): Outcome<PageText> {
  return told(() => readPage(task))
}

function feed(task: FeedTask): Outcome<Feed> {
  return told(() => readFeed(task))
}

function fragments(pieces: readonly Fragment[]): Outcome<string[]> {
  return told(() =>
    pieces.map(({ html, as, base }) => {
      const text = html.slice(0, LONGEST)
      return as === 'title' ? plainTitle(text) : toMarkdown(parseFragment(text), base)
    }),
  )
}

function robots(task: RobotsTask): Outcome<RobotsRuling> {
  return told(() => readRobots(task))
}

function told<T>(read: () => T): Outcome<T> {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.message }
    return { fault: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
