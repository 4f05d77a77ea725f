import type { Distribution } from '#core/component'
import { ConfigError, type ConfigNode, type Fault, nearest, type Resolved } from '#core/config'
import { checkReferences } from './check-references.ts'
import { type Configuration, SECTIONS } from './configuration.ts'
import { type AdviceOn, decodeComponents } from './decode-components.ts'
import { decodeService, type TelemetrySection } from './decode-service.ts'
import { Findings } from './findings.ts'

export interface ConfigureOptions<T> {
  readonly telemetry: TelemetrySection<T>
  /** Feature gates that are on, by the Collector's names. */
  readonly gates?: ReadonlySet<string>
  /**
   * Why some components could not be loaded. They are reported with everything else; types that are not known are not
   * then, since they may be theirs.
   */
  readonly missing?: readonly Fault[]
  /** What can be done about a type that the distribution does not know, as a sentence. */
  readonly adviceOn?: AdviceOn
}

/**
 * Turns a resolved configuration into one that can be planned: every component decoded with its definition, also those
 * that nothing uses, and the `service` section checked.
 * @throws {ConfigError} with every fault, in the Collector's words; of stage `decode` when something has the wrong
 *   shape, else `validate`
 */
export function configure<T>(
  distribution: Distribution,
  resolved: Resolved,
  options: ConfigureOptions<T>,
): Configuration<T> {
  const { root } = resolved
  const findings = new Findings(options.missing)
  checkTopLevel(root, findings)
  const receivers = decodeComponents('receiver', distribution.receivers, root, findings, options.adviceOn)
  const processors = decodeComponents('processor', distribution.processors, root, findings, options.adviceOn)
  const exporters = decodeComponents('exporter', distribution.exporters, root, findings, options.adviceOn)
  const connectors = decodeComponents('connector', distribution.connectors, root, findings, options.adviceOn)
  const extensions = decodeComponents('extension', distribution.extensions, root, findings, options.adviceOn)
  const service = decodeService(root, options.telemetry, findings)
  const written = {
    receivers: receivers.mentionable,
    processors: processors.mentionable,
    exporters: exporters.mentionable,
    connectors: connectors.mentionable,
    extensions: extensions.mentionable,
  }
  checkReferences(root, written, service.enabled, service.pipelines, options.gates ?? new Set(), findings)

  const faults = [...findings.decoding, ...findings.validation]
  if (faults.length > 0) {
    throw new ConfigError(faults, { stage: findings.decoding.length > 0 ? 'decode' : 'validate' })
  }
  return {
    receivers: receivers.components,
    processors: processors.components,
    exporters: exporters.components,
    connectors: connectors.components,
    extensions: extensions.components,
    enabled: service.enabled,
    pipelines: service.pipelines,
    telemetry: service.telemetry as T,
    warnings: [...resolved.warnings, ...findings.warnings],
  }
}

const TOP_LEVEL: readonly string[] = [...Object.values(SECTIONS), 'service']

function checkTopLevel(root: ConfigNode, findings: Findings): void {
  if (root.kind !== 'map') return
  for (const key of root.keys) {
    if (TOP_LEVEL.includes(key)) continue
    findings.add([], `the configuration has invalid keys: ${key}`, root.keyOrigin(key), {
      code: 'unknown-key',
      suggestion: nearest(key, TOP_LEVEL),
    })
  }
}
