import { describeProcessor } from '#core/testing'
import { batchProcessor } from './index.ts'

describeProcessor(batchProcessor, { folder: import.meta.dirname })
