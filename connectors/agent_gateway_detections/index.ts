import { defineConnector } from '#core/component'
import { checkDetections, detectionsConfig } from './config.ts'
import { DetectionsConnector } from './connector.ts'

/** Raises security records from the spans and log records of an AI agent gateway. */
export const agentGatewayDetectionsConnector = defineConnector({
  type: 'agent_gateway_detections',
  description:
    'Raises security records from the spans and log records of an AI agent gateway: sensitive files, prompt injection, dangerous commands.',
  stability: { traces: { logs: 'beta' }, logs: { logs: 'beta' } },
  config: detectionsConfig,
  check: checkDetections,
  create: (config, _from, _to, next, context) => new DetectionsConnector(config, next, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { agentGatewayDetectionsConnector as agentGatewayDetections }
