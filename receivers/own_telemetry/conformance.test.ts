import { describeReceiver } from '#core/testing'
import { ownTelemetryReceiver } from './index.ts'

describeReceiver(ownTelemetryReceiver, { folder: import.meta.dirname })
