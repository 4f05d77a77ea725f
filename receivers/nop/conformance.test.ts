import { describeReceiver } from '#core/testing'
import { nopReceiver } from './index.ts'

describeReceiver(nopReceiver, { folder: import.meta.dirname })
