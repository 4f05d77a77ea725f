import { describeProcessor } from '../../core/testing/conformance.ts'
import { batchProcessor } from './index.ts'

describeProcessor(batchProcessor, { folder: import.meta.dirname })
