import type { Command } from '#core/component'
import { checkCommand } from './check/check-command.ts'
import { configCommand } from './config/config-command.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { dashboardCommand, rulesCommand } from './monitoring/monitoring-commands.ts'

/** `gateway ...`: tools around the agent gateway's configuration. */
export const gatewayCommands: readonly Command[] = [
  configCommand,
  checkCommand,
  doctorCommand(),
  dashboardCommand,
  rulesCommand,
]
