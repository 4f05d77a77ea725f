import type { CommandInvocation, CommandOption } from '#core/component'
import { type GatewayVersion, parseVersion } from './version.ts'

/** `--gateway-version`. */
export const VERSION_OPTION: CommandOption = {
  type: 'string',
  description: 'Version of the gateway, as `openclaw --version` prints it, for example 2026.4.25',
}

/** The version that was given, undefined without one, or why it is none. */
export function readVersionOption(options: CommandInvocation['options']): GatewayVersion | undefined | Error {
  const text = options['gateway-version']
  if (typeof text !== 'string') return undefined
  return parseVersion(text) ?? new Error(`gateway-version must look like 2026.4.25, got ${JSON.stringify(text)}`)
}
