import type { Component, Consumers, Host, PipelineContext } from '#core/component'
import type { OwnTelemetryConfig } from './config.ts'

/** Hands the collector's own spans, metrics and logs to the pipelines it feeds. */
export class OwnTelemetryReceiver implements Component {
  readonly #config: OwnTelemetryConfig
  readonly #next: Consumers
  readonly #context: PipelineContext
  #stop: (() => Promise<void>) | undefined

  constructor(config: OwnTelemetryConfig, next: Consumers, context: PipelineContext) {
    this.#config = config
    this.#next = next
    this.#context = context
  }

  async start(host: Host): Promise<void> {
    const { metrics_interval: metricsInterval } = this.#config
    this.#stop = host.subscribeOwnTelemetry(this.#next, { metricsInterval, pipelines: this.#context.pipelines })
  }

  async shutdown(): Promise<void> {
    const stop = this.#stop
    this.#stop = undefined
    await stop?.()
  }
}
