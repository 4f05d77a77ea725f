import { describeConnector } from '#core/testing'
import { agentGatewayDetectionsConnector } from './index.ts'

describeConnector(agentGatewayDetectionsConnector, { folder: import.meta.dirname })
