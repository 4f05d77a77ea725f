import { describeProcessor } from '#core/testing'
import { attributesProcessor } from './index.ts'

describeProcessor(attributesProcessor, {
  folder: import.meta.dirname,
  written: () => ({ actions: [{ key: 'env', action: 'insert', value: 'test' }] }),
})
