import { describeProcessor } from '#core/testing'
import { memoryLimiterProcessor } from './index.ts'

describeProcessor(memoryLimiterProcessor, {
  folder: import.meta.dirname,
  written: () => ({ check_interval: '1s', limit_mib: 4000 }),
})
