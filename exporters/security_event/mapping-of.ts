import type { BuildInfo } from '#core/component'
import type { SecurityEventConfig } from './config.ts'
import type { FormatName } from './mapping/format.ts'
import type { Json } from './mapping/plain-json.ts'
import { createMapping, type Mapping } from './mapping/security-event.ts'

/** The mapping that a configuration asks for. */
export function mappingOf(
  {
    default_attributes,
    prefix,
    agent_gateway_prefix: gatewayPrefix,
  }: Pick<SecurityEventConfig, 'default_attributes' | 'prefix' | 'agent_gateway_prefix'>,
  format: FormatName,
  { command, version }: BuildInfo,
  now: () => number,
): Mapping {
  return createMapping({
    format,
    defaultAttributes: default_attributes as Readonly<Record<string, Json>>,
    prefixes: prefix,
    gatewayPrefix,
    product: { vendor: 'Millrace', name: command, version },
    now,
  })
}
