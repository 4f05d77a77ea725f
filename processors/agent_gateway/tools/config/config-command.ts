import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command, CommandInvocation } from '#core/component'
import { nearest } from '#core/config'
import { readPluginManifest } from '../check/plugin-manifest.ts'
import { Subject } from '../check/subject.ts'
import { LATEST_VERSION, OLDEST_VERSION } from '../gateway/facts.ts'
import { type GatewayVersion, isBefore, parseVersion } from '../gateway/version.ts'
import { readVersionOption, VERSION_OPTION } from '../gateway/version-option.ts'
import { BACKEND_STYLES, type BackendStyle, backendStyle } from './backend-style.ts'
import { type GatewayConfig, type GatewayConfigRequest, gatewayConfig } from './gateway-config.ts'

const STYLE_NAMES = BACKEND_STYLES.flatMap(({ name, aliases }) => [name, ...aliases])

/** Writes what the gateway's configuration needs: the JSON to standard output, all else to standard error. */
export const configCommand: Command = {
  name: 'gateway config',
  summary: 'Prints the JSON that makes the agent gateway send telemetry, for its version and your backend',
  usage: 'gateway config [--backend <style>] [--gateway-version <version>] [--collector] [--plugin <folder>]',
  options: {
    backend: {
      type: 'string',
      description: BACKEND_STYLES.map(({ name, aliases, description }) => {
        return `${[name, ...aliases].join(' or ')}: ${description}`
      }).join('; '),
      default: 'collector',
    },
    'gateway-version': VERSION_OPTION,
    collector: {
      type: 'boolean',
      description: 'Sends to a collector on this machine, which holds the credentials and sends to the backend',
      default: false,
    },
    endpoint: {
      type: 'string',
      description: 'Base URL to send to, without /v1/traces; the default is that of the style',
    },
    'service-name': { type: 'string', description: 'service.name of the telemetry', default: 'openclaw-gateway' },
    prefix: {
      type: 'string',
      description: 'What the names of metrics begin with instead of openclaw, for example acme',
    },
    logs: { type: 'boolean', description: 'Sends logs, or with --no-logs none, whatever is usual for the backend' },
    'capture-content': {
      type: 'boolean',
      description: 'Sends what is said to and by models and tools',
      default: false,
    },
    plugin: { type: 'string', description: 'Folder of the tracing plugin, which is then loaded' },
    file: {
      type: 'string',
      description: "The gateway's configuration as it is: what its plugins.allow and plugins.load.paths list stays",
    },
  },
  run: config,
}

/** The command line asks for what cannot be had. */
class Refused extends Error {
  override name = 'Refused'
}

async function config({ options, operands, stdout, stderr }: CommandInvocation): Promise<number> {
  try {
    if (operands.length > 0) throw new Refused(`unexpected argument "${operands[0]}"`)
    const request = await requestOf(options)
    const result = gatewayConfig(request)
    stdout.write(`${JSON.stringify(result.json, undefined, 2)}\n`)
    stderr.write(explain(request, result, options['gateway-version'] === undefined))
    return 0
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    stderr.write(`Error: ${error.message}\n`)
    return 2
  }
}

async function requestOf(options: CommandInvocation['options']): Promise<GatewayConfigRequest> {
  const text = (name: string) => (typeof options[name] === 'string' ? (options[name] as string) : undefined)
  const folder = text('plugin')
  const prefix = text('prefix')
  const endpoint = text('endpoint')
  if (prefix !== undefined && !/^[A-Za-z][A-Za-z0-9_./-]{0,126}$/.test(prefix)) {
    throw new Refused('prefix must begin with a letter, and have letters, digits, dots, dashes and slashes only')
  }
  if (endpoint !== undefined && !/^https?:\/\/[^\s@]+$/.test(endpoint)) {
    throw new Refused('endpoint must be a URL that begins with http:// or https://, without credentials')
  }
  const style = styleOf(text('backend') ?? 'collector')
  return {
    style,
    version: versionOf(options),
    collector: options.collector === true || style.name === 'collector',
    ...(endpoint !== undefined && { endpoint: endpoint.replace(/(\/v1\/(traces|metrics|logs))?\/*$/, '') }),
    serviceName: text('service-name') ?? '',
    ...(prefix !== undefined && { prefix: /[._/-]$/.test(prefix) ? prefix : `${prefix}.` }),
    ...(typeof options.logs === 'boolean' && { logs: options.logs }),
    captureContent: options['capture-content'] === true,
    ...(folder !== undefined && { plugin: pluginOf(folder) }),
    existing: await existingOf(text('file')),
  }
}

function styleOf(name: string): BackendStyle {
  const style = backendStyle(name)
  if (style !== undefined) return style
  const meant = nearest(name, STYLE_NAMES)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  throw new Refused(`backend must be one of ${STYLE_NAMES.join(', ')}, got ${JSON.stringify(name)}${hint}`)
}

function versionOf(options: CommandInvocation['options']): GatewayVersion {
  const version = readVersionOption(options) ?? parseVersion(LATEST_VERSION)!
  if (version instanceof Error) throw new Refused(version.message)
  if (!isBefore(version, OLDEST_VERSION)) return version
  throw new Refused(`the gateway must be ${OLDEST_VERSION} or newer to export telemetry, is ${version.text}`)
}

function pluginOf(folder: string): { readonly path: string; readonly id: string } {
  const path = resolve(folder)
  const manifest = readPluginManifest(path)
  if (manifest === undefined) throw new Refused(`${path} has no openclaw.plugin.json with an id`)
  return { path, id: manifest.id }
}

async function existingOf(file: string | undefined): Promise<GatewayConfigRequest['existing']> {
  if (file === undefined) return { allow: [], paths: [] }
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new Refused(`cannot read ${file}: ${(error as Error).message}`)
  }
  // Loaded when needed: a collector that starts has no use for it.
  const { readJson5 } = await import('../check/read-json5.ts')
  const { node } = readJson5(text, file)
  if (node?.kind !== 'map') throw new Refused(`${file} is not a JSON5 object; \`gateway check\` says where`)
  const subject = new Subject(node, parseVersion(LATEST_VERSION)!)
  return {
    allow: subject.texts('plugins', 'allow') ?? [],
    paths: subject.texts('plugins', 'load', 'paths') ?? [],
  }
}

function explain({ style, version, collector }: GatewayConfigRequest, result: GatewayConfig, assumed: boolean): string {
  const lines = [`For gateway ${version.text}${assumed ? ', the newest known (--gateway-version says otherwise)' : ''}`]
  const held = collector ? style.variables : result.variables
  if (style.scopes.length > 0) lines.push(`The token needs the scopes ${style.scopes.join(', ')}`)
  lines.push(...result.notes, 'Next:')
  const set = Object.entries(held).map(([name, what]) => `${name} (${what})`)
  const steps = [
    ...(set.length > 0 ? [`Set for the ${collector ? 'collector' : 'gateway'}: ${set.join(', ')}`] : []),
    ...(collector ? [`Run the collector: npm run agent-gateway -- --config ${style.collectorConfig}`] : []),
    ...result.commands.map(command => `Install the exporter: ${command}`),
    'Merge the JSON into ~/.openclaw/openclaw.json, and check it: millrace gateway check ~/.openclaw/openclaw.json',
    'Restart: openclaw gateway restart',
    'When nothing arrives, let it send to: millrace gateway doctor',
  ]
  return `${[...lines, ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n')}\n`
}
