import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import bcrypt from 'bcryptjs'
import { decodeOtlp, encodeOtlp, until } from '#core/testing'
import { Program } from '../e2e/process.ts'

export const ROOT = join(import.meta.dirname, '../..')
const PROJECT = join(import.meta.dirname, 'testdata/project')
const execute = promisify(execFile)

/** Puts a manifest with what it names, packages installed, into a folder. */
export async function addProject(folder: string): Promise<void> {
  await cp(PROJECT, folder, { recursive: true, filter: from => !from.endsWith('packages') })
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await cp(join(PROJECT, 'packages'), join(folder, 'node_modules'), { recursive: true })
}

/** How a program ended that was run to its end. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a module with Node in a folder, apart from this process's own settings. */
export async function run(folder: string, ...args: readonly string[]): Promise<Ended> {
  const { NODE_OPTIONS: _, ...env } = process.env
  try {
    const { stdout, stderr } = await execute(process.execPath, args, { cwd: folder, env, maxBuffer: 1 << 24 })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** Every file below a folder as text, by path; packages beside the bundle left out. */
export async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter(path => !path.startsWith('node_modules'))
    .sort()
  return new Map(
    await Promise.all(paths.map(async path => [path, await readFile(join(folder, path), 'utf8')] as const)),
  )
}

interface Span {
  readonly name: string
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[]
}

/**
 * Starts the program of a built distribution and sends it three spans, one of them to be dropped, with a wrong and a right
 * password.
 * @returns the statuses of the answers and the spans that came out
 */
export async function spansThrough(
  folder: string,
  ...args: readonly string[]
): Promise<{ statuses: number[]; spans: Span[] }> {
  const spans: Span[] = []
  const server = createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', chunk => body.push(chunk))
    request.on('end', () => {
      const { resourceSpans } = decodeOtlp('traces', Buffer.concat(body)) as { resourceSpans: Otlp[] }
      spans.push(...resourceSpans.flatMap(each => each.scopeSpans.flatMap(scope => scope.spans)))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const env = {
    BACKEND: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    USERS: `ada:${bcrypt.hashSync('right', 4)}`,
    NODE_OPTIONS: '',
  }
  await using program = new Program(args, { main: join(folder, 'lib/main.js'), cwd: folder, env })
  try {
    const listens = () => program.endpoint('Starting HTTP server')
    const ended = program.exit.then(() => Promise.reject(new Error(program.stderr)))
    await Promise.race([until(() => listens() !== undefined, { timeout: 30_000 }), ended])
    ended.catch(() => {})
    const statuses = [await send(listens()!, 'wrong'), await send(listens()!, 'right')]
    await until(() => spans.length > 1, { timeout: 30_000, what: 'spans have come out' })
    program.signal('SIGTERM')
    await program.exit
    return { statuses, spans }
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

interface Otlp {
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
}

async function send(address: string, password: string): Promise<number> {
  const secret = { key: 'password', value: { stringValue: 'hunter2' } }
  const named = ['GET /', 'GET /healthz', 'POST /login'].map(name => ({ name, attributes: [secret] }))
  const answer = await fetch(`http://${address}/v1/traces`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`,
    },
    body: new Uint8Array(encodeOtlp('traces', { resourceSpans: [{ scopeSpans: [{ spans: named }] }] })),
  })
  await answer.arrayBuffer()
  return answer.status
}
