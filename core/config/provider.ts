import type { Environment } from './environment.ts'
import type { Warning } from './fault.ts'
import { type Location, locationLabel } from './location.ts'
import { readText } from './read-text.ts'
import { type Retrieved, retrievedFromYaml, retrievedText } from './retrieved.ts'

/** What providers may use of the world, and where they say what is worth a line in the log. */
export interface ProviderContext {
  readonly env: Environment
  readFile(path: string): Promise<string>
  /** As the global `fetch`. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<FetchAnswer>
  warn(warning: Warning): void
}

/** The part of a `Response` that providers read. */
export interface FetchAnswer {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Brings what a location holds. Throws an Error with a sentence when it cannot. */
export type Provider = (location: Location, context: ProviderContext) => Retrieved | Promise<Retrieved>

/** The providers of the Collector's own distributions, by scheme. */
export const PROVIDERS: { readonly [scheme: string]: Provider } = {
  env: provideEnvironment,
  file: provideFile,
  yaml: location => retrievedFromYaml(location.opaque, locationLabel(location)),
  http: provideHttp,
  https: provideHttp,
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** `env:NAME` or `env:NAME:-default`; the default counts only when the variable is not set at all. */
function provideEnvironment(location: Location, { env, warn }: ProviderContext): Retrieved {
  const separator = location.opaque.indexOf(':-')
  const name = separator < 0 ? location.opaque : location.opaque.slice(0, separator)
  const fallback = separator < 0 ? undefined : location.opaque.slice(separator + 2)
  const label = locationLabel(location)
  if (!NAME.test(name)) {
    throw new Error(`environment variable "${name}" has invalid name: must match regex ${NAME.source}`)
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (value !== undefined) {
    if (value === '')
      warn({ level: 'info', message: 'Configuration references empty environment variable', fields: { name } })
    return retrievedFromYaml(value, label)
  }
  if (fallback === '') return retrievedText('', label)
  if (fallback === undefined) {
    const message = 'Configuration references unset environment variable'
    warn({ level: 'warn', message, fields: { name }, code: 'unset-variable' })
  }
  return retrievedFromYaml(fallback ?? '', label)
}

async function provideFile(location: Location, { readFile }: ProviderContext): Promise<Retrieved> {
  let text: string
  try {
    text = await readFile(location.opaque)
  } catch (error) {
    throw new Error(`unable to read the file ${location.uri}: ${reason(error)}`, { cause: error })
  }
  return retrievedFromYaml(text, locationLabel(location))
}

const FETCH_TIMEOUT = 30_000

async function provideHttp(location: Location, context: ProviderContext): Promise<Retrieved> {
  const label = locationLabel(location)
  if (!URL.canParse(location.uri)) throw new Error(`invalid uri "${label}"`)
  let answer: FetchAnswer
  let text: string
  try {
    answer = await context.fetch(location.uri, { signal: AbortSignal.timeout(FETCH_TIMEOUT) })
    text = answer.status === 200 && answer.body ? await readText(answer.body) : ''
  } catch (error) {
    throw new Error(`unable to download the file via HTTP GET for uri "${label}": ${reason(error)}`, { cause: error })
  }
  if (answer.status !== 200) {
    throw new Error(`failed to load resource from uri "${label}". status code: ${answer.status}`)
  }
  return retrievedFromYaml(text, label)
}

/** What went wrong, in words that need no stack: the innermost cause, without Node's repetition of the call. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reason(error.cause)
  return error.message.replace(/^[A-Z]+: /, '').replace(/, (open|read) .*$/, '')
}
