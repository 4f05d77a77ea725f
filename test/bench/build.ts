/**
 * `npm run bench:build`: what a distribution of exactly the components that one needs saves against the full one: bytes
 * in its image without Node itself, and milliseconds from spawning it to its health check answering 200, with the same
 * configuration: without a compile cache, as in an image, and with a filled one. The fastest of nine starts counts: a
 * shared machine can only make them slower.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommands } from '#core/build'
import { millrace } from '../../distributions/millrace/index.ts'
import { Child } from './child.ts'
import { answers, freePorts } from './ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROJECT = join(ROOT, 'test/build/testdata/project')
const RUNS = 9
const dir = mkdtempSync(join(tmpdir(), 'millrace-build-'))

/** Bytes of a file, or of all files below a folder. */
function bytesOf(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

/** What the full distribution's image copies: sources as they are, and every package that is not for development. */
function bytesOfSources(): number {
  const dockerfile = readFileSync(join(ROOT, 'distributions/millrace/Dockerfile'), 'utf8')
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const copied = [...last.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, path]) => bytesOf(join(ROOT, path!)))
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
  }
  const outer = Object.entries(packages).filter(
    ([path, { dev }]) => dev !== true && path.split('node_modules/').length === 2,
  )
  return [...copied, ...outer.map(([path]) => bytesOf(join(ROOT, path)))].reduce((sum, each) => sum + each, 0)
}

/** Builds a manifest and gives the folder. */
async function build(manifest: string, out: string): Promise<string> {
  const command = buildCommands(millrace).find(({ name }) => name === 'build')!
  const quiet = { write: () => {} }
  const invocation = { operands: [], stdin: process.stdin, stdout: quiet, stderr: process.stderr }
  const signal = new AbortController().signal
  const code = await command.run({ ...invocation, signal, options: { config: manifest, 'output-path': out } })
  if (code !== 0) throw new Error(`Could not build ${manifest}`)
  return out
}

function bytesOfImage(folder: string): number {
  const there = new Set(readdirSync(folder))
  const copied = ['package.json', 'lib', 'node_modules'].filter(name => there.has(name))
  return copied.reduce((sum, name) => sum + bytesOf(join(folder, name)), 0)
}

/** Milliseconds until it is ready. */
async function startMillis(main: string, cache: string): Promise<{ without: number; filled: number }> {
  const [grpc, http, health] = (await freePorts(3)) as [number, number, number]
  const pipeline = { receivers: ['otlp'], processors: ['batch'], exporters: ['otlphttp'] }
  const config = join(dir, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({
      receivers: {
        otlp: { protocols: { grpc: { endpoint: `127.0.0.1:${grpc}` }, http: { endpoint: `127.0.0.1:${http}` } } },
      },
      processors: { batch: null },
      exporters: { otlphttp: { endpoint: 'http://127.0.0.1:1' } },
      extensions: { health_check: { endpoint: `127.0.0.1:${health}` } },
      service: {
        extensions: ['health_check'],
        telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
        pipelines: { traces: pipeline, metrics: pipeline, logs: pipeline },
      },
    }),
  )
  const once = async (env: NodeJS.ProcessEnv) => {
    const started = performance.now()
    const child = new Child(process.execPath, [main, '--config', config], env)
    await answers(`http://127.0.0.1:${health}/`)
    const millis = performance.now() - started
    await child.stop()
    return millis
  }
  const fastest = async (env: NodeJS.ProcessEnv) => {
    const all: number[] = []
    for (let i = 0; i < RUNS; i++) all.push(await once(env))
    return Math.min(...all)
  }
  const without = await fastest({ NODE_DISABLE_COMPILE_CACHE: '1' })
  return { without, filled: await fastest({ NODE_COMPILE_CACHE: cache }) }
}

const project = join(dir, 'project')
cpSync(PROJECT, project, { recursive: true })
mkdirSync(join(project, 'node_modules'))
cpSync(join(PROJECT, 'packages'), join(project, 'node_modules'), { recursive: true })
writeFileSync(
  join(project, 'small.yaml'),
  'dist: {name: small}\nreceivers: [component: otlp]\nprocessors: [component: batch]\nexporters: [component: otlp_http]\nextensions: [component: health_check]\n',
)
try {
  const full = await build(join(ROOT, 'distributions/millrace/builder.yaml'), join(dir, 'full'))
  const custom = await build(join(project, 'builder.yaml'), join(dir, 'custom'))
  const small = await build(join(project, 'small.yaml'), join(dir, 'small'))
  const rows = [
    ['full, from sources', bytesOfSources(), join(ROOT, 'distributions/millrace/main.ts')],
    ['full, built', bytesOfImage(full), join(full, 'lib/main.js')],
    ['custom, 7 components', bytesOfImage(custom), join(custom, 'lib/main.js')],
    ['small, 4 components', bytesOfImage(small), join(small, 'lib/main.js')],
  ] as const
  console.log('| Distribution | MB in the image | Start to ready | with a compile cache |\n| --- | --- | --- | --- |')
  for (const [name, bytes, main] of rows) {
    const { without, filled } = await startMillis(main, join(dir, `cache ${name}`))
    console.log(`| ${name} | ${(bytes / 1e6).toFixed(1)} | ${without.toFixed(0)} ms | ${filled.toFixed(0)} ms |`)
  }
} finally {
  rmSync(dir, { recursive: true })
}
