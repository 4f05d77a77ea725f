import { createSemconvDictionary } from './create.ts'

/** Forwards telemetry untouched and learns every attribute, metric and event name in it. */
export const semconvDictionaryProcessor = createSemconvDictionary()

/** The same under its short name, for programs that import it from its own door. */
export { semconvDictionaryProcessor as semconvDictionary }
