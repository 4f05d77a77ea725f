import { type Clock, type Logger, RouteError } from '#core/component'
import { FetchError } from '#core/net'
import type { UploadRequest } from '../api/service.ts'
import { Unreadable } from '../extraction/reading.ts'
import type { LanguageModel } from '../language_model/language-model.ts'
import { type Extraction, SourcePaused, Unobtainable } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'
import { countWords } from '../style/measure.ts'

/** Characters of a title that was not given. */
const TITLE = 200
/** Characters of an upload that it is found by. */
const EMBEDDED = 2000
/** Words that a page must have to be a piece of writing. */
const LEAST_WORDS = 20

export interface UploadDeps {
  readonly store: TopicStore
  readonly model: LanguageModel
  readonly clock: Clock
  readonly logger: Logger
  /** Bytes of UTF-8. */
  readonly largest: number
  extractPage(url: string, signal: AbortSignal): Promise<Extraction>
}

/** Takes in the user's own writing. */
export class Uploads {
  readonly #deps: UploadDeps
  readonly #closing = new AbortController()

  constructor(deps: UploadDeps) {
    this.#deps = deps
  }

  /** Keeps a piece and embeds it; that it cannot be embedded is no reason not to keep it. @returns its id */
  async add({ title, content, contentType, sourceUrl }: UploadRequest): Promise<number> {
    const { store, clock } = this.#deps
    const upload = {
      title: title ?? titleOf(content),
      content,
      contentType,
      sourceUrl,
      wordCount: await countWords(content),
    }
    const id = await store.uploads.create(upload, clock.now())
    await this.#embed(id, upload.title, content)
    return id
  }

  /**
   * Fetches a page and keeps its text.
   * @throws {RouteError} 400 when the address is refused or nothing came, 422 when the page has no text
   */
  async importPage(url: string): Promise<number> {
    const page = await this.#page(url)
    if (Buffer.byteLength(page.text) > this.#deps.largest) {
      throw new RouteError(413, 'CONTENT_TOO_LARGE', `The text of the page is larger than ${this.#deps.largest} bytes`)
    }
    if ((await countWords(page.text)) < LEAST_WORDS) {
      throw new RouteError(422, 'NOTHING_TO_EXTRACT', 'The page was fetched, but no text was found in it')
    }
    return this.add({ title: page.title, content: page.text, contentType: 'blog_post', sourceUrl: url })
  }

  /** Embeds what has no vector of the present model, in the background. */
  async embedMissing(): Promise<void> {
    const { store, model, logger } = this.#deps
    if (!store.vectors.available || model.embedding === undefined) return
    try {
      for (;;) {
        const ids = await store.vectors.missing('upload', model.embedding.model, 20)
        for (const id of ids) {
          const upload = await store.uploads.get(id)
          if (this.#closing.signal.aborted) return
          if (upload !== undefined && !(await this.#embed(id, upload.title, upload.content))) return
        }
        if (ids.length === 0) return
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) logger.warn('Cannot embed uploads', { error })
    }
  }

  close(): void {
    this.#closing.abort(new Error('The collector stops'))
  }

  async #embed(id: number, title: string, content: string): Promise<boolean> {
    const { store, model, clock, logger } = this.#deps
    if (!store.vectors.available || model.embedding === undefined) return false
    try {
      const text = `${title}\n${content}`.slice(0, EMBEDDED)
      const [vector] = await model.embed([text], { signal: this.#closing.signal })
      await store.vectors.set('upload', id, model.embedding.model, vector!, clock.now())
      return true
    } catch (error) {
      if (!this.#closing.signal.aborted)
        logger.warn('Cannot embed an upload, drafts will not refer to it', { id, error })
      return false
    }
  }

  async #page(url: string): Promise<Extraction> {
    try {
      return await this.#deps.extractPage(url, this.#closing.signal)
    } catch (error) {
      if (error instanceof Unobtainable) {
        const { cause } = error
        const code = cause instanceof FetchError && cause.reason === 'refused' ? 'ADDRESS_REFUSED' : 'CANNOT_FETCH'
        throw new RouteError(400, code, error.message, { cause: error })
      }
      if (error instanceof FetchError || error instanceof SourcePaused || error instanceof Unreadable) {
        throw new RouteError(400, 'CANNOT_FETCH', error.message, { cause: error })
      }
      throw new RouteError(400, 'CANNOT_FETCH', 'The page cannot be read', { cause: error })
    }
  }
}

/** The first heading, else the first line. */
function titleOf(content: string): string {
  const heading = /^#{1,6}\s+(.+)$/m.exec(content)?.[1]
  const line = heading ?? content.trim().split('\n')[0]!
  return line.trim().slice(0, TITLE)
}
