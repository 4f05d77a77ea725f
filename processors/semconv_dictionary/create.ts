import { defineProcessor } from '#core/component'
import { checkSemconvDictionaryConfig, semconvDictionaryConfig } from './config.ts'
import { Learner, type LearnerOptions } from './learning/learner.ts'
import { SemconvDictionaryProcessor } from './processor.ts'

/** The definition of the processor; `options` are for programs that replace a part of it. */
export function createSemconvDictionary(options: LearnerOptions = {}) {
  return defineProcessor({
    type: 'semconv_dictionary',
    description: 'Forwards telemetry untouched and learns every attribute, metric and event name in it.',
    stability: { traces: 'alpha', metrics: 'alpha', logs: 'alpha' },
    config: semconvDictionaryConfig,
    check: checkSemconvDictionaryConfig,
    create: (config, signal, next, context) =>
      new SemconvDictionaryProcessor(
        context.shared(() => new Learner(config, context, options)),
        signal,
        next,
        context,
      ),
  })
}
