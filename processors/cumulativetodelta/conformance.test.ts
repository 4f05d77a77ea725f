import { describeProcessor } from '#core/testing'
import { cumulativetodeltaProcessor } from './index.ts'

describeProcessor(cumulativetodeltaProcessor, { folder: import.meta.dirname })
