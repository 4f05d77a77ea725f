/** Up to a number of tasks at a time, each taking work until there is none. Nothing runs while there is no work. */
export class Consumers<Work> {
  readonly #limit: number
  readonly #take: () => Work | undefined | Promise<Work | undefined>
  readonly #handle: (work: Work) => Promise<void>
  readonly #onIdle: () => void
  #active = 0
  #idleOnes: (() => void)[] = []

  /** `handle` never rejects. `onIdle` is called whenever the last task ends. */
  constructor(
    limit: number,
    take: () => Work | undefined | Promise<Work | undefined>,
    handle: (work: Work) => Promise<void>,
    onIdle: () => void = () => {},
  ) {
    this.#limit = limit
    this.#take = take
    this.#handle = handle
    this.#onIdle = onIdle
  }

  get active(): number {
    return this.#active
  }

  /** There may be work: starts another task when the limit allows. */
  poke(): void {
    if (this.#active >= this.#limit) return
    this.#active++
    void this.#run()
  }

  async #run(): Promise<void> {
    for (;;) {
      let work = this.#take()
      if (work instanceof Promise) work = await work
      if (work === undefined) break
      await this.#handle(work)
    }
    this.#active--
    if (this.#active > 0) return
    const waiting = this.#idleOnes
    this.#idleOnes = []
    for (const resolve of waiting) resolve()
    this.#onIdle()
  }

  /** Resolves once no task runs. */
  idle(): Promise<void> {
    if (this.#active === 0) return Promise.resolve()
    return new Promise(resolve => this.#idleOnes.push(resolve))
  }
}
