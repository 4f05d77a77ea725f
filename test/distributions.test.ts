import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { tempDir } from '#core/testing'

const ROOT = join(import.meta.dirname, '..')
const DISTRIBUTIONS = readdirSync(join(ROOT, 'distributions'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)
const run = promisify(execFile)

/** Runs a distribution's command line. */
async function cli(distribution: string, ...args: readonly string[]): Promise<string> {
  const main = join(ROOT, 'distributions', distribution, 'main.ts')
  const env = { ...process.env, BACKEND: 'backend.example.com:4317' }
  return (await run(process.execPath, [main, ...args], { env })).stdout
}

/** Every port in an `endpoint` of these sections, wherever it stands, sorted. */
function portsOf(config: Tree): readonly number[] {
  const ports = new Set<number>()
  const walk = (tree: unknown) => {
    if (typeof tree !== 'object' || tree === null) return
    for (const [key, value] of Object.entries(tree)) {
      if (key === 'endpoint' && typeof value === 'string') ports.add(Number(value.split(':').at(-1)))
      else walk(value)
    }
  }
  walk(config.receivers)
  walk(config.extensions)
  return sorted(ports)
}

function sorted(numbers: Iterable<number>): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

// biome-ignore lint/suspicious/noExplicitAny: documents of many kinds, looked at by path
type Tree = any

describe.each(DISTRIBUTIONS)('the image of %s', name => {
  const path = join(ROOT, 'distributions', name, 'Dockerfile')
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map(line => line.trim())
  const last = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
  const argumentsOf = (instruction: string) =>
    last.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1))

  test('runs as a user that is not root, named by number so that Kubernetes can tell', () => {
    expect(argumentsOf('USER')).toEqual(['65532:65532'])
    const user = last.findIndex(line => line.startsWith('USER '))
    expect(user).toBeLessThan(last.findIndex(line => line.startsWith('ENTRYPOINT ')))
    expect(last.slice(user).filter(line => /^(RUN|COPY|ADD) /.test(line))).toEqual([])
  })

  test('exposes the ports of the default configuration', async () => {
    const config = parse(await cli(name, 'print-config')) as Tree
    const exposed = sorted(argumentsOf('EXPOSE').flatMap(ports => ports.split(' ').map(Number)))
    expect(exposed).toEqual(portsOf(config))
  })

  test('copies what there is, and starts what it copies', () => {
    const sources = argumentsOf('COPY')
      .filter(copy => !copy.startsWith('--from'))
      .flatMap(copy => copy.split(' ').slice(0, -1))
    expect(sources.filter(source => !existsSync(join(ROOT, source)))).toEqual([])
    expect(argumentsOf('ENTRYPOINT')).toEqual([`["node", "distributions/${name}/main.ts"]`])
    expect(sources).toContain('distributions')
  })
})

describe.each(DISTRIBUTIONS)('the Kubernetes manifest of %s', name => {
  const path = join(ROOT, 'distributions', name, 'kubernetes.yaml')
  const documents = parseAllDocuments(readFileSync(path, 'utf8'), { strict: true })
  const objects = documents.map(document => document.toJS() as Tree)
  const one = (kind: string): Tree => objects.find(object => object.kind === kind)
  const [configMap, deployment, service] = ['ConfigMap', 'Deployment', 'Service'].map(one)
  const pod = deployment.spec.template.spec
  const [container] = pod.containers
  const portOf = (named: string): number =>
    container.ports.find((port: Tree) => port.name === named)?.containerPort ?? Number.NaN

  test('is well-formed', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(objects.map(object => object.kind).sort()).toEqual(['ConfigMap', 'Deployment', 'Service'])
    expect(pod.containers).toHaveLength(1)
  })

  test('has a configuration that passes validate', async () => {
    await using dir = await tempDir()
    const [file] = Object.keys(configMap.data)
    const written = join(dir.path, file!)
    await writeFile(written, configMap.data[file!])
    expect(await cli(name, 'validate', '--config', written)).toBe('')
  })

  test('mounts the configuration where the collector looks for it', () => {
    const volume = pod.volumes.find((each: Tree) => each.configMap?.name === configMap.metadata.name)
    const mount = container.volumeMounts.find((each: Tree) => each.name === volume.name)
    const [file] = Object.keys(configMap.data)
    expect(container.args).toEqual(['--config', `${mount.mountPath}/${file}`])
    expect(mount.readOnly).toBe(true)
    const mounted = container.volumeMounts.map((each: Tree) => each.name)
    expect(mounted.sort()).toEqual(pod.volumes.map((each: Tree) => each.name).sort())
  })

  test('opens the ports that its configuration listens on, and offers those of receivers', () => {
    const config = parse(configMap.data['config.yaml']) as Tree
    const pages = (config.service.telemetry?.metrics?.readers ?? []).map(
      (reader: Tree) => reader.pull.exporter.prometheus.port,
    )
    const opened = container.ports.map((port: Tree) => port.containerPort)
    expect(sorted(opened)).toEqual(sorted([...portsOf(config), ...pages]))
    const offered = service.spec.ports.map((port: Tree) => [port.port, portOf(port.targetPort)])
    const received = portsOf({ receivers: config.receivers })
    expect(sorted(offered.map(([port]: [number]) => port))).toEqual(received)
    for (const [port, target] of offered) expect(port).toBe(target)
    expect(configMap.data['config.yaml']).not.toMatch(/endpoint: (localhost|127\.)/)
  })

  test('asks health_check whether the process lives, and the api whether it is ready', () => {
    const config = parse(configMap.data['config.yaml']) as Tree
    const probed = (probe: Tree) => [portOf(probe.httpGet.port), probe.httpGet.path]
    const port = (extension: string) => Number(config.extensions[extension].endpoint.split(':').at(-1))
    expect(config.service.extensions).toEqual(expect.arrayContaining(['health_check', 'api']))
    expect(probed(container.livenessProbe)).toEqual([port('health_check'), config.extensions.health_check.path ?? '/'])
    expect(probed(container.startupProbe)).toEqual(probed(container.livenessProbe))
    expect(probed(container.readinessProbe)).toEqual([port('api'), '/readyz'])
  })

  test('gives the process no more rights than it needs', () => {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/)
  })

  test('has labels by which the deployment and the service find the pods', () => {
    const { labels } = deployment.spec.template.metadata
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
    expect(labels).toMatchObject(service.spec.selector)
  })

  test('gives a shutdown more time than the collector takes', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30)
  })
})
