import type { Dispatcher } from 'undici'

/** What a server answered. */
export interface HttpReply {
  readonly status: number
  /** Names in lower case; repeated ones as lists. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** At most so many bytes as the exchange keeps; the rest is read and forgotten. */
  readonly body: Buffer
}

/** An answer that goes on beyond this is broken off. */
const MAX_READ = 4 << 20

/** One request and its answer. */
export class HttpExchange {
  readonly answer: Promise<HttpReply>
  /** Whether the answer has begun. */
  answered = false
  #settle!: { resolve: (answer: HttpReply) => void; reject: (error: Error) => void }
  #controller: Dispatcher.DispatchController | undefined
  #abandoned: Error | undefined

  /** `keep`: bytes of the answer's body to keep. */
  constructor(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, keep: number) {
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    let status = 0
    let headers: HttpReply['headers'] = {}
    const chunks: Buffer[] = []
    let kept = 0
    let read = 0
    dispatcher.dispatch(options, {
      onRequestStart: controller => {
        this.#controller = controller
        if (this.#abandoned !== undefined) controller.abort(this.#abandoned)
      },
      onResponseStart: (_controller, code, fields) => {
        this.answered = true
        status = code
        headers = fields
      },
      onResponseData: (controller, chunk) => {
        read += chunk.length
        if (kept < keep) chunks.push(chunk.subarray(0, keep - kept))
        kept = Math.min(keep, kept + chunk.length)
        if (read > MAX_READ) controller.abort(new Error('the answer is too long'))
      },
      onResponseEnd: () => {
        this.#settle.resolve({ status, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) })
      },
      onResponseError: (_controller, error) => {
        this.#settle.reject(this.#abandoned ?? error)
      },
    })
  }

  /** Breaks the request off; `answer` rejects with `reason`. */
  abandon(reason: Error): void {
    this.#abandoned ??= reason
    this.#controller?.abort(this.#abandoned)
    this.#settle.reject(this.#abandoned)
  }
}
