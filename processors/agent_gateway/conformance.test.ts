import { describeProcessor } from '#core/testing'
import { agentGatewayProcessor } from './index.ts'

describeProcessor(agentGatewayProcessor, { folder: import.meta.dirname })
