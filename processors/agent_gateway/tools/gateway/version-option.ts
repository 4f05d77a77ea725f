import type { CommandInvocation, CommandOption } from '#core/component'
import { type GatewayVersion, parseVersion } from './version.ts'

/** `--gateway-version`. */
export const VERSION_OPTION: CommandOption = {
  type: 'string',
  description: 'Version of the gateway, for example 2026.4.25, or all that `openclaw --version` prints',
}

/** The version that was given, with or without words around it, undefined without one, or why it is none. */
export function readVersionOption(options: CommandInvocation['options']): GatewayVersion | undefined | Error {
  const text = options['gateway-version']
  if (typeof text !== 'string') return undefined
  const [found = text] = /\bv?\d{4}\.\d+\.\d+\b/.exec(text) ?? []
  return parseVersion(found) ?? new Error(`gateway-version must look like 2026.4.25, got ${JSON.stringify(text)}`)
}
