import { describeExtension } from '#core/testing'
import { healthCheckExtension } from './index.ts'

describeExtension(healthCheckExtension, {
  folder: import.meta.dirname,
  written: () => ({ endpoint: '127.0.0.1:0' }),
})
