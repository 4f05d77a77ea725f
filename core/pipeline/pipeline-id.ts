import { ComponentId, InvalidId } from '#core/component'
import { isSignal, type Signal } from '#core/data'

/** `signal[/name]` as written under `service::pipelines`, for example `traces/backend`. */
export class PipelineId {
  readonly signal: Signal
  /** Empty when only the signal was written. */
  readonly name: string

  constructor(signal: Signal, name = '') {
    this.signal = signal
    this.name = name
  }

  toString(): string {
    return this.name === '' ? this.signal : `${this.signal}/${this.name}`
  }

  /**
   * Parses and checks an id: the grammar of component ids with a signal in front.
   * @throws {InvalidId} with the Collector's sentence
   */
  static parse(text: string): PipelineId {
    const signal = text.split('/', 1)[0]!.trim()
    if (signal !== '' && !isSignal(signal)) {
      throw new InvalidId(`in "${text.trim()}" id: unknown pipeline signal: "${signal}"`)
    }
    const { type, name } = ComponentId.parse(text)
    return new PipelineId(type as Signal, name)
  }
}
