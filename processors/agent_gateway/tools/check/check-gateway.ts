import { dirname } from 'node:path'
import type { Environment, MapNode } from '#core/config'
import { LATEST_VERSION, OLDEST_VERSION } from '../gateway/facts.ts'
import { type GatewayVersion, isBefore, parseVersion } from '../gateway/version.ts'
import { endpointRule } from './endpoint-rules.ts'
import { exporterPluginRule, exportRule, protocolRule } from './exporter-rules.ts'
import { type Finding, sortFindings } from './finding.ts'
import { logsRule, plainSecretRule } from './header-rules.ts'
import { type PluginManifest, pluginPath, readPluginManifest } from './plugin-manifest.ts'
import { configBlockRule, tracingPluginRule } from './plugin-rules.ts'
import { readJson5 } from './read-json5.ts'
import { variablesRule } from './references.ts'
import { checkShape } from './shape.ts'
import { diagnosticsShape, pluginEntryShape, pluginLoadShape } from './shapes.ts'
import { INCLUDE, type Rule, Subject } from './subject.ts'

/** A configuration file of the gateway and how it is to be judged. */
export interface CheckRequest {
  readonly text: string
  /** Names the text in positions; plugins are looked for from its folder. */
  readonly file: string
  /** As given; without it, the version that the file says it was written by, else the newest known. */
  readonly version?: GatewayVersion
  readonly env?: Environment
}

export interface CheckResult {
  readonly findings: readonly Finding[]
  readonly version: GatewayVersion
  readonly versionFrom: 'option' | 'file' | 'latest'
}

const RULES: readonly Rule[] = [
  versionRule,
  includeRule,
  exportRule,
  exporterPluginRule,
  protocolRule,
  endpointRule,
  plainSecretRule,
  logsRule,
  variablesRule,
  configBlockRule,
  tracingPluginRule,
]

/** Judges the parts of the gateway's configuration that matter to telemetry, by the rules of its version. */
export function checkGateway({ text, file, version: given, env }: CheckRequest): CheckResult {
  const { node, findings } = readJson5(text, file)
  const version = (from: GatewayVersion | undefined) => given ?? from ?? parseVersion(LATEST_VERSION)!
  if (node === undefined) return { findings, version: version(undefined), versionFrom: given ? 'option' : 'latest' }
  if (node.kind !== 'map') {
    const message = 'Invalid input: expected object'
    const fault: Finding = {
      severity: 'error',
      rule: 'type',
      path: '',
      message,
      ...(node.origin && { origin: node.origin }),
    }
    return { findings: [...findings, fault], version: version(undefined), versionFrom: given ? 'option' : 'latest' }
  }
  const written = node.get(['meta', 'lastTouchedVersion'])
  const own = written?.kind === 'scalar' ? parseVersion(String(written.value)) : undefined
  const subject = new Subject(node, version(own), env, manifestsOf(node, dirname(file)))
  const all = [...findings, ...shapeFindings(subject), ...RULES.flatMap(rule => [...rule(subject)])]
  return {
    findings: sortFindings(all),
    version: subject.version,
    versionFrom: given ? 'option' : own ? 'file' : 'latest',
  }
}

function shapeFindings(subject: Subject): readonly Finding[] {
  const { version } = subject
  const diagnostics = subject.node('diagnostics')
  const load = subject.node('plugins', 'load')
  return [
    ...(diagnostics === undefined ? [] : checkShape(diagnostics, diagnosticsShape, ['diagnostics'], version)),
    ...(load === undefined ? [] : checkShape(load, pluginLoadShape, ['plugins', 'load'], version)),
    ...[...(subject.map('plugins', 'entries')?.entries() ?? [])].flatMap(([id, entry]) =>
      checkShape(entry, pluginEntryShape, ['plugins', 'entries', id], version),
    ),
  ]
}

function manifestsOf(root: MapNode, folder: string): readonly PluginManifest[] {
  const paths = new Subject(root, parseVersion(LATEST_VERSION)!).texts('plugins', 'load', 'paths') ?? []
  return paths.flatMap(path => readPluginManifest(pluginPath(path, folder)) ?? [])
}

function* versionRule(subject: Subject): Iterable<Finding> {
  if (!isBefore(subject.version, OLDEST_VERSION)) return
  const message = `the gateway must be ${OLDEST_VERSION} or newer to export telemetry, is ${subject.version.text}`
  yield subject.find('error', 'version', ['meta', 'lastTouchedVersion'], message)
}

/** Parts that other files bring are not read; nothing is said to be missing where they may bring it. */
function* includeRule(subject: Subject): Iterable<Finding> {
  const entries = [...(subject.map('plugins', 'entries')?.map.keys() ?? [])].map(id => ['plugins', 'entries', id])
  const sections = [[], ['diagnostics'], ['diagnostics', 'otel'], ['plugins'], ['plugins', 'entries'], ...entries]
  for (const path of sections) {
    if (subject.map(...path)?.map.has(INCLUDE) !== true) continue
    yield subject.find('warning', 'include', [...path, INCLUDE], 'what included files hold is not checked')
  }
}
