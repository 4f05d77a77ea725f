/** What a reading process is given, and what it brings. @module */

/** A page as it came. */
export interface PageTask {
  readonly body: Uint8Array
  /** The `content-type` header. */
  readonly contentType: string
  /** Where it was at last. */
  readonly url: string
}

/** What a page says. */
export interface PageText {
  /** Markdown. */
  readonly text: string
  /** It is not the whole piece: an excerpt before a paywall, or all the text of a page that has no article. */
  readonly partial: boolean
  readonly title?: string
  readonly author?: string
  /** From `<link rel=canonical>`. */
  readonly canonicalUrl?: string
}

export interface FeedTask {
  readonly body: Uint8Array
  readonly contentType: string
  readonly url: string
  /** Items that are read. */
  readonly maxItems: number
}

/** A feed of any format. */
export interface Feed {
  readonly title: string
  readonly items: readonly FeedItem[]
}

/** An entry of a feed. */
export interface FeedItem {
  /** The publisher's id of it, or its URL. */
  readonly id: string
  /** Plain text. */
  readonly title: string
  readonly url: string
  /** Milliseconds since the Unix epoch. */
  readonly published?: number
  /** Markdown of the whole text, where the feed has it. */
  readonly content?: string
  /** Markdown of a description or an excerpt. */
  readonly summary?: string
  readonly tags: readonly string[]
  readonly author?: string
  readonly authorUrl?: string
  /** Views, where the feed tells. */
  readonly views?: number
}

/** A piece of HTML that an API gave. */
export interface Fragment {
  readonly html: string
  /** `title`: plain text on one line. */
  readonly as: 'markdown' | 'title'
  /** What relative links are resolved against. */
  readonly base?: string
}

/** robots.txt and what is asked of it. */
export interface RobotsTask {
  readonly text: string
  readonly robotsUrl: string
  readonly url: string
  /** Product token. */
  readonly agent: string
}

export interface RobotsRuling {
  readonly allowed: boolean
  /** Milliseconds between two requests, where it says so. */
  readonly crawlDelay?: number
}

/** One task for a reading process. */
export interface Order {
  /** `page`, `feed`, `fragments` or `robots`. */
  readonly name: string
  readonly task: unknown
  /** Milliseconds. */
  readonly timeout: number
}

/** What a reading process hands back: errors of ours lose their class on the way. `late`: it took longer than allowed. */
export type Outcome<T> = { readonly value: T } | { readonly fault: string } | { readonly late: true }

/** What was to be read is not of the kind it should be, or took more time or memory than it may. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  /** `exhausted`: too much time or memory. */
  readonly reason: 'malformed' | 'exhausted'
  constructor(message: string, reason: Unreadable['reason'] = 'malformed', options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
