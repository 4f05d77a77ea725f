import { describeExtension } from '#core/testing'
import { apiExtension } from './index.ts'

describeExtension(apiExtension, { folder: import.meta.dirname, written: () => ({ endpoint: '127.0.0.1:0' }) })
