import { describeProcessor } from '#core/testing'
import { semconvDictionaryProcessor } from './index.ts'

describeProcessor(semconvDictionaryProcessor, { folder: import.meta.dirname, written: () => ({ worker_count: 1 }) })
