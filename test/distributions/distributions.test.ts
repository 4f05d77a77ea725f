import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { tempDir } from '#core/testing'
import { type Opened, ROOT, shipped, sorted, type Tree } from './shipped.test-support.ts'

const DISTRIBUTIONS = readdirSync(join(ROOT, 'distributions'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

describe.each(DISTRIBUTIONS)('the image of %s', name => {
  const lines = readFileSync(join(ROOT, 'distributions', name, 'Dockerfile'), 'utf8')
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

  test('exposes the ports that are opened by default', async () => {
    const exposed = sorted(argumentsOf('EXPOSE').flatMap(ports => ports.split(' ').map(Number)))
    expect(exposed).toEqual(await shipped(name).defaultPorts())
  })

  test('copies what there is, and starts what it copies', () => {
    const sources = argumentsOf('COPY')
      .filter(copy => !copy.startsWith('--from'))
      .flatMap(copy => copy.split(' ').slice(0, -1))
    expect(sources.filter(source => !existsSync(join(ROOT, source)))).toEqual([])
    const main = `distributions/${name}/main.ts`
    expect(argumentsOf('ENTRYPOINT')).toEqual([`["node", "${main}"]`])
    expect(sources.some(source => main.startsWith(`${source}/`))).toBe(true)
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
  const [file = ''] = Object.keys(configMap.data)
  const portOf = (named: string): number =>
    container.ports.find((port: Tree) => port.name === named)?.containerPort ?? Number.NaN

  /** What its configuration opens; the program has accepted it then. */
  async function opened(): Promise<Opened> {
    await using dir = await tempDir()
    const written = join(dir.path, file)
    await writeFile(written, configMap.data[file])
    return await shipped(name).open(written, configMap.data[file])
  }

  test('is well-formed', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(objects.filter(({ apiVersion, kind, metadata }) => !(apiVersion && kind && metadata?.name))).toEqual([])
    expect(pod.containers).toHaveLength(1)
  })

  test('has a configuration that the program accepts, listens beyond the container, and opens the ports named', async () => {
    const { ports, received } = await opened()
    expect(sorted(container.ports.map((port: Tree) => port.containerPort))).toEqual(ports)
    const offered: readonly (readonly [number, number])[] = service.spec.ports.map((port: Tree) => [
      port.port,
      portOf(port.targetPort),
    ])
    expect(sorted(offered.map(([port]) => port))).toEqual(received)
    for (const [port, target] of offered) expect(port).toBe(target)
    expect(configMap.data[file]).not.toMatch(/(endpoint|host): (localhost|127\.)/)
  })

  test('asks whether the process lives and whether it is ready where that is answered', async () => {
    const { live, ready } = await opened()
    const probed = (probe: Tree) => [portOf(probe.httpGet.port), probe.httpGet.path]
    expect(probed(container.livenessProbe)).toEqual(live)
    expect(probed(container.startupProbe)).toEqual(live)
    expect(probed(container.readinessProbe)).toEqual(ready)
  })

  test('mounts the configuration where the program looks for it, and every volume', () => {
    const volume = pod.volumes.find((each: Tree) => each.configMap?.name === configMap.metadata.name)
    const mount = container.volumeMounts.find((each: Tree) => each.name === volume.name)
    expect(container.args).toEqual(['--config', `${mount.mountPath}/${file}`])
    expect(mount.readOnly).toBe(true)
    const mounted = container.volumeMounts.map((each: Tree) => each.name)
    expect(mounted.sort()).toEqual(pod.volumes.map((each: Tree) => each.name).sort())
    const claims = objects
      .filter(object => object.kind === 'PersistentVolumeClaim')
      .map(({ metadata }) => metadata.name)
    const claimed = pod.volumes.flatMap((each: Tree) => each.persistentVolumeClaim?.claimName ?? [])
    expect(claimed).toEqual(claims)
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

  test('gives a shutdown more time than the program takes', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30)
  })
})
