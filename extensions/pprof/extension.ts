import { writeFile } from 'node:fs/promises'
import type { Component, Context } from '#core/component'
import { type HttpAnswer, type HttpRequest, type HttpSettings, openServer, type Server } from '#core/net'
import type { PprofConfig } from './config.ts'
import { Busy, Profiler } from './profiler.ts'

const SECOND = 1000
/** Milliseconds that an answer under way may still take at shutdown. */
const GRACE = 1000
const DEFAULT_SECONDS = 30
const MAX_SECONDS = 600

const SETTINGS: HttpSettings = {
  maxBody: 1 << 16,
  encodings: new Set(['']),
  includeMetadata: false,
  responseHeaders: {},
  cors: undefined,
  authParameters: [],
  readTimeout: 10 * SECOND,
  readHeaderTimeout: 10 * SECOND,
  writeTimeout: 60 * SECOND,
  idleTimeout: 60 * SECOND,
  keepAlive: true,
}

/** Serves profiles under `/debug/pprof`. */
export class PprofExtension implements Component {
  readonly #config: PprofConfig
  readonly #context: Context
  readonly #ending = new AbortController()
  #profiler: Profiler | undefined
  #server: Server | undefined
  /** The profile of the whole run, when one is wanted. */
  #saved: Promise<void> | undefined

  constructor(config: PprofConfig, context: Context) {
    this.#config = config
    this.#context = context
  }

  /** `ip:port` while it listens. */
  get address(): string | undefined {
    return this.#server?.address
  }

  async start(): Promise<void> {
    const { id, logger, clock } = this.#context
    const { endpoint, save_to_file: path } = this.#config
    const profiler = new Profiler(clock)
    await profiler.open()
    this.#profiler = profiler
    try {
      this.#server = await openServer({
        endpoint,
        http: { settings: SETTINGS, handle: request => this.#handle(request, profiler) },
        owner: String(id),
        within: this.#context.build,
        logger,
        clock,
      })
      if (path !== '') await this.#begin(path, profiler)
    } catch (error) {
      await this.shutdown()
      throw error
    }
    logger.info('Starting net/http/pprof server', { endpoint: this.#server.address })
  }

  async shutdown(): Promise<void> {
    this.#ending.abort()
    await this.#server?.close(GRACE)
    this.#server = undefined
    await this.#saved
    this.#profiler?.close()
    this.#profiler = undefined
  }

  /** @throws when the file cannot be written: better told now than after the run */
  async #begin(path: string, profiler: Profiler): Promise<void> {
    await writeFile(path, '')
    const save = async () => {
      try {
        await writeFile(path, await profiler.cpu(this.#ending.signal, 'pprof'))
      } catch (error) {
        this.#context.logger.error('Failed to save the CPU profile', { path, error })
      }
    }
    this.#saved = save()
  }

  async #handle({ method, path, query, context }: HttpRequest, profiler: Profiler): Promise<HttpAnswer> {
    if (method !== 'GET') return text(405, 'Only GET')
    const format = query.get('format') === 'v8' ? 'v8' : 'pprof'
    switch (path) {
      case '/debug/pprof':
      case '/debug/pprof/':
        return text(200, INDEX)
      case '/debug/pprof/heap':
        return file(await profiler.heap(format, Number(query.get('gc') ?? 0) > 0), 'heap', format)
      case '/debug/pprof/profile':
        return this.#cpu(query.get('seconds'), context.signal, profiler, format)
      default:
        return text(404, `Unknown profile; there are:\n\n${INDEX}`)
    }
  }

  async #cpu(
    written: string | null,
    gone: AbortSignal | undefined,
    profiler: Profiler,
    format: 'v8' | 'pprof',
  ): Promise<HttpAnswer> {
    const seconds = Number(written ?? DEFAULT_SECONDS) || DEFAULT_SECONDS
    if (seconds < 0 || seconds > MAX_SECONDS) {
      return text(400, `seconds must be between 1 and ${MAX_SECONDS}, got ${written}`)
    }
    const over = new AbortController()
    const timer = this.#context.clock.after(seconds * SECOND, () => over.abort())
    const signals = [over.signal, this.#ending.signal, ...(gone === undefined ? [] : [gone])]
    try {
      return file(await profiler.cpu(AbortSignal.any(signals), format), 'profile', format)
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      return text(409, `Could not enable CPU profiling: ${error.message}`)
    } finally {
      timer.cancel()
    }
  }
}

const INDEX = `/debug/pprof/profile?seconds=30   CPU
/debug/pprof/heap                 memory in use by where it was allocated; gc=1 collects garbage first

format=v8 gives the formats of V8 (.cpuprofile, .heapprofile) instead of pprof's.
`

function text(status: number, body: string): HttpAnswer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return { status, headers, body: body.endsWith('\n') ? body : `${body}\n` }
}

function file(body: Buffer, name: 'heap' | 'profile', format: 'v8' | 'pprof'): HttpAnswer {
  const v8Name = name === 'heap' ? 'heap.heapprofile' : 'profile.cpuprofile'
  const headers = {
    'content-type': format === 'v8' ? 'application/json' : 'application/octet-stream',
    'content-disposition': `attachment; filename="${format === 'v8' ? v8Name : `${name}.pb.gz`}"`,
    'x-content-type-options': 'nosniff',
  }
  return { status: 200, headers, body }
}
