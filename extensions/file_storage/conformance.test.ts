import { describeExtension } from '#core/testing'
import { fileStorageExtension } from './index.ts'

describeExtension(fileStorageExtension, {
  folder: import.meta.dirname,
  written: directory => ({ directory }),
})
