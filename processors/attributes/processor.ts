import type { ConsumeContext, PipelineContext, Transform } from '#core/component'
import type { Draft, Signal } from '#core/data'
import { compileActions } from '#core/transform'
import { signalFault } from './check-signal.ts'
import type { AttributesConfig } from './config.ts'
import type { MatchConfig } from './match-option.ts'
import { logMatcher, type Matcher, metricMatcher, spanMatcher } from './matcher.ts'

type Apply = (draft: Draft, context: ConsumeContext) => void

/** Applies the actions to every span, log record or data point that the conditions let through. */
export class AttributesProcessor implements Transform {
  readonly #apply: Apply

  /** @throws {Error} when conditions do not belong to the signal */
  constructor(config: AttributesConfig, signal: Signal, { logger }: PipelineContext) {
    for (const match of [config.include, config.exclude]) {
      const fault = match && signalFault(match, signal)
      if (fault !== undefined) throw new Error(fault)
    }
    this.#apply = createApply(config, signal, compileActions(config.actions, logger))
  }

  transform(draft: Draft, context: ConsumeContext): void {
    this.#apply(draft, context)
  }
}

function createApply(config: AttributesConfig, signal: Signal, act: ReturnType<typeof compileActions>): Apply {
  if (config.include === undefined && config.exclude === undefined) {
    return (draft, context) => {
      for (const record of draft.records()) act(record.attributes, context)
    }
  }
  if (signal === 'traces') {
    const wanted = wantedBy(config, spanMatcher)
    return (draft, context) => {
      for (const span of draft.spans()) if (wanted(span)) act(span.attributes, context)
    }
  }
  if (signal === 'logs') {
    const wanted = wantedBy(config, logMatcher)
    return (draft, context) => {
      for (const log of draft.logs()) if (wanted(log)) act(log.attributes, context)
    }
  }
  const wanted = wantedBy(config, metricMatcher)
  return (draft, context) => {
    for (const metric of draft.metrics()) {
      if (wanted(metric)) for (const point of metric.points) act(point.attributes, context)
    }
  }
}

function wantedBy<T>({ include, exclude }: AttributesConfig, matcher: (config: MatchConfig) => Matcher<T>): Matcher<T> {
  const included = include && matcher(include)
  const excluded = exclude && matcher(exclude)
  return record => (included === undefined || included(record)) && !excluded?.(record)
}
