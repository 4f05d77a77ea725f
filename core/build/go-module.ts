import type { Definition } from '#core/component'

/** Where the modules of the Go Collector and of its contributors' collection live. */
const KNOWN = /^(go\.opentelemetry\.io\/collector|github\.com\/open-telemetry\/opentelemetry-collector-contrib)\//

/** Whether a module belongs to the Go Collector, so that its name says what it does. */
export function isCollectorModule(gomod: string): boolean {
  return KNOWN.test(pathOf(gomod))
}

/**
 * What a module of the Go Collector is called without what it is: `otlp` for
 * `go.opentelemetry.io/collector/receiver/otlpreceiver v0.130.0`.
 * @param gomod path and version, as a manifest has them
 */
export function componentOf(gomod: string, kind: Definition['kind'] | 'provider'): string {
  const last = pathOf(gomod)
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1)!
    .toLowerCase()
  return last.endsWith(kind) && last !== kind ? last.slice(0, -kind.length) : last
}

/** The one among `definitions` that does the same, by type or alias. Go has no underscores in names of modules. */
export function sameIn<D extends Definition>(name: string, definitions: readonly D[]): D | undefined {
  const plain = (word: string) => word.replaceAll('_', '')
  const wanted = [name, name.replace(/auth$/, '')]
  return wanted
    .map(one => definitions.find(({ type, aliases = [] }) => [type, ...aliases].some(each => plain(each) === one)))
    .find(one => one !== undefined)
}

function pathOf(gomod: string): string {
  return gomod.trim().split(/\s+/)[0] ?? ''
}

/** What takes the place of a component that is not here, as far as something does; by kind and name. */
const STAND_INS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  receiver: { jaeger: 'otlp', zipkin: 'otlp', opencensus: 'otlp', otelarrow: 'otlp', kafka: 'otlp' },
  processor: {
    transform: 'attributes',
    span: 'attributes',
    redaction: 'attributes',
    metricstransform: 'attributes',
    k8sattributes: 'resource',
    resourcedetection: 'resource',
    schema: 'semconv_dictionary',
  },
  exporter: {
    logging: 'debug',
    otelarrow: 'otlp_grpc',
    kafka: 'otlp_grpc',
    loadbalancing: 'otlp_grpc',
    jaeger: 'otlp_http',
    zipkin: 'otlp_http',
    loki: 'otlp_http',
    prometheusremotewrite: 'otlp_http',
    elasticsearch: 'otlp_http',
    splunkhec: 'security_event',
    awss3: 'file',
  },
  connector: { routing: 'forward', failover: 'forward', roundrobin: 'forward' },
  extension: {
    healthcheckv2: 'health_check',
    oauth2client: 'headers_setter',
    sigv4auth: 'headers_setter',
    dbstorage: 'file_storage',
    redisstorage: 'file_storage',
  },
}

/** The component that comes nearest to what a missing one does. */
export function standInFor(name: string, kind: Definition['kind']): string | undefined {
  return STAND_INS[kind]?.[name.replaceAll('_', '')]
}
