import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { parseYaml } from '#core/config'
import { configurationOf } from '../../distributions/semconv-proxy/configuration.ts'
import { readSettings } from '../../distributions/semconv-proxy/settings.ts'

export const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

// biome-ignore lint/suspicious/noExplicitAny: documents of many kinds, looked at by path
export type Tree = any

/** A port and a path that a probe asks. */
type Probed = readonly [port: number, path: string]

/** What a configuration makes a program open. */
export interface Opened {
  readonly ports: readonly number[]
  /** Those that telemetry comes in by. */
  readonly received: readonly number[]
  readonly live: Probed
  readonly ready: Probed
}

/** How a distribution is configured. */
export interface Shipped {
  /** Without a configuration. */
  defaultPorts(): Promise<readonly number[]>
  /** With a configuration file. @throws when the program refuses it */
  open(file: string, text: string): Promise<Opened>
}

/** Distributions with the Collector's command line, and the one that has its own. */
export function shipped(name: string): Shipped {
  return name === 'semconv-proxy' ? SEMCONV_PROXY : collector(name)
}

function collector(name: string): Shipped {
  const cli = async (...args: readonly string[]) => {
    const main = join(ROOT, 'distributions', name, 'main.ts')
    const env = { ...process.env, BACKEND: 'backend.example.com:4317' }
    return (await run(process.execPath, [main, ...args], { env })).stdout
  }
  return {
    defaultPorts: async () => portsOf(parse(await cli('print-config'))),
    async open(file, text) {
      await cli('validate', '--config', file)
      const config = parseYaml(text) as Tree
      const readers: readonly Tree[] = config.service.telemetry?.metrics?.readers ?? []
      const pages = readers.map(reader => reader.pull.exporter.prometheus.port)
      const port = (extension: string) => Number(config.extensions[extension].endpoint.split(':').at(-1))
      const { health_check: health, topic_pipeline: topics } = config.extensions
      return {
        ports: sorted([...portsOf(config), ...pages]),
        // Who uses the topic pipeline comes in by its API.
        received: sorted([...portsOf({ receivers: config.receivers }), ...(topics === undefined ? [] : [port('api')])]),
        live: health === undefined ? [port('api'), '/healthz'] : [port('health_check'), health.path ?? '/'],
        ready: [port('api'), '/readyz'],
      }
    },
  }
}

const SEMCONV_PROXY: Shipped = {
  async defaultPorts() {
    return portsOf(proxyConfiguration(['--backend-endpoint', 'backend:4317']))
  },
  async open(file) {
    const config = proxyConfiguration(['--config', file])
    const api = Number(config.extensions.api.endpoint.split(':').at(-1))
    const received = portsOf({ receivers: config.receivers })
    return {
      ports: portsOf(config),
      received: sorted([...received, api]),
      live: [api, '/healthz'],
      ready: [api, '/readyz'],
    }
  },
}

function proxyConfiguration(argv: readonly string[]): Tree {
  const request = readSettings(argv, {})
  if (request.action !== 'run') throw new Error(`the proxy would ${request.action}`)
  return configurationOf(request.settings, { protocol: 'grpc', address: 'backend:4317', secure: false })
}

/** Every port in an `endpoint` of receivers and extensions that is listened on, wherever it stands; URLs are asked. */
function portsOf(config: Tree): readonly number[] {
  const ports = new Set<number>()
  const walk = (tree: unknown) => {
    if (typeof tree !== 'object' || tree === null) return
    for (const [key, value] of Object.entries(tree)) {
      if (!key.endsWith('endpoint') || typeof value !== 'string') walk(value)
      else if (!value.includes('://')) ports.add(Number(value.split(':').at(-1)))
    }
  }
  walk(config.receivers)
  walk(config.extensions)
  return sorted(ports)
}

export function sorted(numbers: Iterable<number>): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}
