import { createSemconvDictionary } from './create.ts'

/** Forwards telemetry untouched and learns every attribute, metric and event name in it. */
export const semconvDictionaryProcessor = createSemconvDictionary()
