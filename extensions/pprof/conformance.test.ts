import { describeExtension } from '#core/testing'
import { pprofExtension } from './index.ts'

describeExtension(pprofExtension, { folder: import.meta.dirname, written: () => ({ endpoint: '127.0.0.1:0' }) })
