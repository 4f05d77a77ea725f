import { defineProcessor } from '#core/component'
import { agentGatewayConfig, checkAgentGatewayConfig } from './config.ts'
import { createAgentGateway } from './create.ts'
import { gatewayCommands } from './tools/commands.ts'

/** Makes the telemetry of an AI agent gateway whole: one tree a trace, nothing twice, nothing that must not leave. */
export const agentGatewayProcessor = defineProcessor({
  type: 'agent_gateway',
  description:
    'Makes the telemetry of an AI agent gateway whole: one tree a trace, nothing twice, nothing that must not leave.',
  stability: { traces: 'alpha', metrics: 'alpha', logs: 'alpha' },
  config: agentGatewayConfig,
  check: checkAgentGatewayConfig,
  commands: gatewayCommands,
  create: createAgentGateway,
})

/** The same under its short name, for programs that import it from its own door. */
export { agentGatewayProcessor as agentGateway }
