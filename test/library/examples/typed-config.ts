/**
 * What the types of `defineConfig` know. Nothing here runs: the compiler reads it, in the repository and against the
 * typings of the package, and each `@ts-expect-error` is a fault that it must find.
 */
import { createCollector, type Duration, defineConfig } from 'millrace'
import { millrace } from 'millrace/distributions/millrace'
import { debug } from 'millrace/exporters/debug'
import { file } from 'millrace/exporters/file'
import { otlpHttp } from 'millrace/exporters/otlp_http'
import { healthCheck } from 'millrace/extensions/health_check'
import { attributes } from 'millrace/processors/attributes'
import { batch } from 'millrace/processors/batch'
import { otlp } from 'millrace/receivers/otlp'

const components = [otlp, batch, attributes, otlpHttp, debug, file, healthCheck] as const
const pipelines = { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } } as const
const timeout = String(process.env.TIMEOUT) as Duration

export const right = defineConfig({
  components,
  receivers: {
    otlp: { protocols: { grpc: {}, http: { endpoint: 'localhost:4318', cors: { allowed_origins: ['*'] } } } },
    'otlp/inner': { protocols: { grpc: { keepalive: { enabled: false }, max_recv_msg_size_mib: 8 } } },
  },
  processors: {
    batch: null,
    'batch/small': { timeout: '1m30s', send_batch_size: 10 },
    'batch/other': { timeout },
    attributes: { actions: [{ key: 'tenant', action: 'insert', value: 17 }] },
  },
  exporters: {
    otlp_http: {
      endpoint: `$\{env:BACKEND}`,
      headers: { 'x-tenant': 'a' },
      sending_queue: { queue_size: `$\{env:SIZE}` },
    },
    file: { path: 'out.jsonl' },
  },
  extensions: { health_check: { endpoint: undefined } },
  service: {
    extensions: ['health_check'],
    telemetry: { logs: { level: 'DEBUG' }, metrics: { level: 'none' } },
    pipelines: {
      traces: { receivers: ['otlp', 'otlp/inner'], processors: ['batch/small'], exporters: ['otlp_http'] },
      'logs/audit': { receivers: ['otlp'], exporters: ['file'] },
    },
  },
})

/** The same for all below, which each have one fault. */
const rest = { components, service: { pipelines } }
// @ts-expect-error a misspelt option
defineConfig({ ...rest, processors: { batch: { timeot: '1s' } } })
// @ts-expect-error a duration without a unit
defineConfig({ ...rest, processors: { batch: { timeout: 200 } } })
// @ts-expect-error a unit that is none
defineConfig({ ...rest, processors: { batch: { timeout: '200 millis' } } })
// @ts-expect-error a text for a number
defineConfig({ ...rest, processors: { 'batch/a': { send_batch_size: '10' } } })
// @ts-expect-error a word that is not in the list
defineConfig({ ...rest, exporters: { debug: { verbosity: 'verbose' } } })
// @ts-expect-error deep inside
defineConfig({ ...rest, receivers: { otlp: { protocols: { http: { tls: { cert: 'a.pem' } } } } } })
// @ts-expect-error an option that must be written
defineConfig({ ...rest, exporters: { file: {} } })
// @ts-expect-error a section that needs one cannot be empty
defineConfig({ ...rest, exporters: { file: null } })
// @ts-expect-error in a list
defineConfig({ ...rest, processors: { attributes: { actions: [{ key: 'a' }] } } })
// @ts-expect-error a component that is not there
defineConfig({ ...rest, exporters: { kafka: {} } })
// @ts-expect-error of another kind
defineConfig({ ...rest, processors: { debug: {} } })
// @ts-expect-error in a pipeline
defineConfig({ components, service: { pipelines: { traces: { receivers: ['otlp'], exporters: ['kafka'] } } } })
// @ts-expect-error a signal that is none
defineConfig({ components, service: { pipelines: { events: pipelines.traces } } })
// @ts-expect-error own telemetry
defineConfig({ components, service: { pipelines, telemetry: { logs: { level: 'loud' } } } })
// @ts-expect-error no service
defineConfig({ components })

/** A collector takes the same, a text or a place; and of a whole distribution objects of any keys. */
export const collectors = [
  () => createCollector(right),
  () => createCollector({ components, config: 'collector.yaml' }),
  () => createCollector({ components: [otlp, debug], config: new URL('file:///collector.yaml') }),
  () => createCollector({ components: millrace, config: { service: { pipelines } } }),
  // @ts-expect-error the same faults
  () => createCollector({ components, config: { processors: { batch: { timeot: '1s' } }, service: { pipelines } } }),
]

/** A distribution knows its components, too. */
const small = { service: { pipelines } }
export const whole = [
  () => createCollector({ components: millrace, config: { ...small, processors: { batch: { timeout: '1s' } } } }),
  // @ts-expect-error misspelt
  () => createCollector({ components: millrace, config: { ...small, processors: { batch: { timeot: '1s' } } } }),
]
