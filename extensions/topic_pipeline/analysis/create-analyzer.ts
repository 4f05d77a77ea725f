import { setImmediate } from 'node:timers/promises'
import type { Clock, Logger, Meter } from '#core/component'
import type { LanguageModel } from '../language_model/language-model.ts'
import type { Category } from '../model/category.ts'
import type { Topic } from '../model/topic.ts'
import type { Tables, TopicStore } from '../store/store.ts'
import type { AnalysisOptions, AnalyzeOptions } from './analysis-options.ts'
import { conclude } from './conclude.ts'
import { Examination } from './examination.ts'
import { FILTERS } from './filters.ts'
import { RelevanceJudge } from './relevance-judge.ts'
import { subjectOf } from './subject.ts'
import { analysisInstruments } from './telemetry.ts'

export interface AnalyzerDeps {
  readonly store: Pick<TopicStore, 'topics' | 'vectors'>
  readonly model: LanguageModel
  readonly clock: Clock
  readonly logger: Logger
  readonly meter: Meter
  readonly options: AnalysisOptions
}

/** Judges topics. */
export interface Analyzer {
  /**
   * Does the slow part of an analysis and returns what writes its result; that is to be run in the transaction that
   * ends the job. Running it again, or when the topic is gone or no longer `extracted`, writes nothing.
   * @param category `undefined` when it was deleted
   * @throws {ModelError} `busy`, unless this is the last attempt
   * @throws the reason of `signal` when that is aborted
   */
  analyze(
    topic: Topic,
    category: Category | undefined,
    signal: AbortSignal,
    options?: AnalyzeOptions,
  ): Promise<(tables: Tables) => Promise<void>>
}

/** An analyzer that runs topics through {@link FILTERS}, cheapest first, until one objects. */
export function createAnalyzer(deps: AnalyzerDeps): Analyzer {
  const { store, model, clock, logger, options } = deps
  const recorders = deps.meter.bind(analysisInstruments)
  const categories = new Map<string, Float32Array>()
  return {
    async analyze(topic, category, signal, { lastAttempt = false, traceparent } = {}) {
      const attempt = { signal, last: lastAttempt, ...(traceparent !== undefined && { traceparent }) }
      const judge = new RelevanceJudge({ model, logger, recorders, options, attempt, categories })
      const examination = new Examination(subjectOf(topic), category)
      for (const filter of FILTERS) {
        // Each step takes a few milliseconds at most; between them everybody else has their turn.
        await setImmediate()
        signal.throwIfAborted()
        const objection = await filter.check(examination, { store, clock, options, judge })
        if (objection !== undefined) return conclude(examination, { clock, model, recorders }, filter.name, objection)
      }
      return conclude(examination, { clock, model, recorders })
    },
  }
}
