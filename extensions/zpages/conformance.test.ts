import { describeExtension } from '#core/testing'
import { zpagesExtension } from './index.ts'

describeExtension(zpagesExtension, { folder: import.meta.dirname, written: () => ({ endpoint: '127.0.0.1:0' }) })
