import { describeProcessor } from '#core/testing'
import { resourceProcessor } from './index.ts'

describeProcessor(resourceProcessor, {
  folder: import.meta.dirname,
  written: () => ({ attributes: [{ key: 'env', action: 'insert', value: 'test' }] }),
})
