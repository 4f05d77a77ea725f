import { describeExtension } from '#core/testing'
import { memoryLimiterExtension } from './index.ts'

describeExtension(memoryLimiterExtension, {
  folder: import.meta.dirname,
  written: () => ({ check_interval: '1s', limit_mib: 4000 }),
})
