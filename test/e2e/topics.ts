import { tempDir, until } from '#core/testing'
import { topicPipeline } from '../../distributions/topic-pipeline/index.ts'
import { type RunningCollector, runCollector } from './collector.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
type Body = any

export interface Topics extends AsyncDisposable {
  readonly running: RunningCollector
  readonly url: string
  /** The body of an answer that must be a success. */
  ask(method: string, path: string, body?: unknown): Promise<Body>
  /** Status and body. */
  try(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Body }>
  /** Resolves when no job waits or runs and no scan runs, at least one job having been done. */
  idle(): Promise<void>
}

/** The distribution on a free port with the embedded store in a directory of its own, unless `written` says otherwise. */
export async function runTopics(written: object, spans?: object): Promise<Topics> {
  const dir = await tempDir()
  const config = {
    receivers: { own_telemetry: { metrics_interval: '100ms' } },
    exporters: spans === undefined ? { nop: {} } : spans,
    extensions: { api: { endpoint: '127.0.0.1:0' }, topic_pipeline: { data_dir: dir.path, ...written } },
    service: {
      extensions: ['api', 'topic_pipeline'],
      pipelines: { traces: { receivers: ['own_telemetry'], exporters: Object.keys(spans ?? { nop: {} }) } },
    },
  }
  const running = await runCollector(config, { distribution: topicPipeline })
  const url = `http://${running.listens('api')}`
  const attempt = async (method: string, path: string, body?: unknown) => {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await attempt(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    running,
    url,
    ask,
    try: attempt,
    idle: () =>
      until(
        async () => {
          const [history, { summary }] = await Promise.all([
            ask('GET', '/api/pipeline/scan-history?limit=100'),
            ask('GET', '/api/pipeline/status'),
          ])
          const scanning = history.some((run: Body) => run.status === 'RUNNING')
          return !scanning && summary.pending + summary.processing === 0 && summary.completed + summary.failed > 0
        },
        { timeout: 60_000, what: 'all jobs and scans to end' },
      ),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}
