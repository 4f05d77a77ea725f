import { defineExporter } from '#core/component'
import { convertCommand } from './commands/convert-command.ts'
import { listCommand } from './commands/list-command.ts'
import { replayCommand } from './commands/replay-command.ts'
import { checkSecurityEvent, securityEventConfig } from './config.ts'
import { createSecurityEventExporter } from './exporter.ts'

/** Turns log records into security events and posts them to a SIEM or any HTTP server. */
export const securityEventExporter = defineExporter({
  type: 'security_event',
  aliases: ['securityevent'],
  description: 'Turns log records into security events and posts them to a SIEM or any HTTP server.',
  stability: { logs: 'beta' },
  config: securityEventConfig,
  check: checkSecurityEvent,
  create: createSecurityEventExporter,
  commands: [convertCommand, listCommand, replayCommand],
})

/** The same under its short name, for programs that import it from its own door. */
export { securityEventExporter as securityEvent }
