import type { Tracer } from '@opentelemetry/api'
import type { Clock, Logger, Meter } from '#core/component'
import type { Fetcher } from '#core/net'
import type { MemoryTable, UsageTable } from '../store/store.ts'
import type { LanguageModel } from './language-model.ts'

/** What calls to language models need from outside. */
export interface LanguageModelDeps {
  /** Asks the addresses of the configuration, which the operator set: without a guard. Closed by whoever made it. */
  readonly fetcher: Fetcher
  readonly usage: UsageTable
  readonly cache: MemoryTable
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  readonly meter: Meter
  /** 0 to 1. */
  random(): number
}

/** A language model that can be closed: calls under way are aborted, later ones fail. */
export interface ClosableLanguageModel extends LanguageModel {
  close(): Promise<void>
}
