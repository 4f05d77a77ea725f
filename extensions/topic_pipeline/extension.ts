import type { Component, Context, ReadinessPart, Route } from '#core/component'
import type { TopicPipelineConfig } from './config.ts'
import type { Pipeline } from './pipeline.ts'

/** Runs the topic pipeline beside a collector's pipelines and offers it on the `api` extension. */
export class TopicPipeline implements Component {
  readonly #config: TopicPipelineConfig
  readonly #context: Context
  #pipeline: Pipeline | undefined

  constructor(config: TopicPipelineConfig, context: Context) {
    this.#config = config
    this.#context = context
  }

  get routes(): readonly Route[] {
    return this.#pipeline?.routes ?? []
  }

  readonly readiness: readonly ReadinessPart[] = [
    { name: 'topic pipeline', read: () => (this.#pipeline === undefined ? { state: 'STARTING' } : { state: 'OK' }) },
  ]

  /** @throws {Error} when the store cannot be opened */
  async start(): Promise<void> {
    // Databases, feed readers and schedules are loaded by those who use them.
    const { startPipeline } = await import('./pipeline.ts')
    this.#pipeline = await startPipeline(this.#config, this.#context)
  }

  async shutdown(): Promise<void> {
    const pipeline = this.#pipeline
    this.#pipeline = undefined
    await pipeline?.close()
  }
}
