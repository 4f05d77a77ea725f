import { describeReceiver } from '#core/testing'
import { memoryReceiver } from './index.ts'

describeReceiver(memoryReceiver(), { folder: import.meta.dirname })
