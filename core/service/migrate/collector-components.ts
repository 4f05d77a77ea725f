import type { Definition } from '#core/component'

/** What to do where a component of the Collector is not at hand. */
export interface Substitute {
  /** Sections and types that come nearest, `exporters/otlp_http`: whether a distribution has them is another question. */
  readonly nearest: readonly string[]
  /** A sentence. */
  readonly advice: string
}

type Kind = Definition['kind']

/** Types, as the Collector's distributions of 2025 and 2026 name them, what comes nearest, and what to do instead. */
type Row = readonly [types: string, nearest: readonly string[], advice: string]

const OTLP = ['receivers/otlp']
const SEND = ['exporters/otlp_http', 'exporters/otlp_grpc']
const EDIT = ['processors/attributes', 'processors/resource']

/**
 * The components of the Collector's distributions, core and contrib, by kind. Types are written without their
 * underscores, which differ between versions. Those that every distribution of ours has are here too: custom builds may
 * leave them out.
 */
const ROWS: Readonly<Record<Kind, readonly Row[]>> = {
  receiver: [
    ['otlp otelarrow stef', OTLP, 'Takes OTLP or a denser form of it: senders of these can send plain OTLP'],
    ['nop', [], 'Receives nothing: leave it out'],
    [
      'filelog filestats namedpipe journald windowseventlog otlpjsonfile',
      OTLP,
      'Reads files or journals of a host: keep an agent that does on the host, and let it send OTLP',
    ],
    [
      'hostmetrics windowsperfcounters activedirectoryds iis cgroupruntime systemd',
      OTLP,
      'Measures the host that it runs on: keep an agent that does on the host, and let it send OTLP',
    ],
    [
      'dockerstats podmanstats kubeletstats k8scluster k8sevents k8sobjects k8slog awscontainerinsightreceiver awsecscontainermetrics cloudfoundry icmpcheck',
      OTLP,
      'Watches a container platform: keep an agent that does there, and let it send OTLP',
    ],
    [
      'prometheus prometheussimple purefa purefb',
      OTLP,
      'Scrapes Prometheus pages: let an agent scrape and send OTLP, or let the applications send OTLP themselves',
    ],
    [
      'prometheusremotewrite',
      OTLP,
      'Takes Prometheus remote write: let an agent in between turn it into OTLP, or let the applications send OTLP',
    ],
    ['jaeger zipkin opencensus', OTLP, 'Takes spans in an older format: the SDKs of OpenTelemetry send OTLP instead'],
    [
      'skywalking datadog signalfx sapm splunkhec influxdb carbon statsd collectd wavefront libhoney loki faro awsxray envoyals netflow pprof yanggrpc',
      OTLP,
      'Takes the format of another tool: let what sends it send OTLP, or put a Collector with this receiver in front',
    ],
    [
      'fluentforward syslog tcplog udplog webhookevent awslambda awsfirehose windowsservice',
      OTLP,
      'Takes log lines: let an agent that does send them as OTLP',
    ],
    [
      'kafka pulsar rabbitmq solace googlecloudpubsub googlecloudpubsubpush azureeventhub azureblob awss3',
      OTLP,
      'Takes telemetry from a queue or a store: put a Collector with this receiver in between, and let it send OTLP',
    ],
    [
      'httpcheck tcpcheck tlscheck sshcheck ntp chrony',
      OTLP,
      'Probes other hosts: let an agent that does send what it measures as OTLP',
    ],
    [
      'aerospike apache apachespark bigip couchdb ciscoos elasticsearch expvar flinkmetrics haproxy jmx kafkametrics memcached mongodb mysql nginx nsxt oracledb postgresql redfish redis riak saphana snmp splunkenterprise sqlquery sqlserver vcenter zookeeper',
      OTLP,
      'Asks a service for its metrics: let an agent that does, beside the service, send them as OTLP',
    ],
    [
      'awscloudwatch azuremonitor cloudflare github gitlab googlecloudmonitoring googlecloudspanner mongodbatlas snowflake huaweicloudces macosunifiedlogging',
      OTLP,
      'Asks the interface of a cloud service: let a Collector that does send what it gets as OTLP',
    ],
    ['receivercreator', OTLP, 'Starts receivers for what an observer finds: write these receivers down'],
  ],
  processor: [
    ['batch', [], 'Groups telemetry: the `sending_queue::batch` of an exporter does so too'],
    ['memorylimiter', [], 'Refuses telemetry while memory is short: limit the `sending_queue` of the exporters'],
    [
      'attributes resource',
      EDIT,
      'Edits attributes: let the SDKs or a Collector on the way do it, or write a component of your own',
    ],
    [
      'transform span logstransform lookup unroll',
      EDIT,
      'Edits telemetry by statements: what sets, deletes or hashes attributes can be said with the nearest; write the rest as a component of your own, a TypeScript file',
    ],
    [
      'filter',
      [],
      'Drops telemetry by conditions: drop it where it is made or in the backend, or write a component of your own, a TypeScript file',
    ],
    ['redaction', ['processors/attributes'], 'Takes secrets out of attributes: delete or hash them by key or pattern'],
    [
      'tailsampling groupbytrace',
      [],
      'Decides on whole traces: keep a Collector that does behind this one, or sample in the SDKs (`parentbased_traceidratio`)',
    ],
    ['probabilisticsampler', [], 'Keeps a share of the telemetry: sample in the SDKs (`parentbased_traceidratio`)'],
    [
      'k8sattributes',
      ['processors/resource'],
      'Adds what Kubernetes knows of the sender: let the workloads say it, with `OTEL_RESOURCE_ATTRIBUTES` filled from the downward API',
    ],
    [
      'resourcedetection geoip dnslookup',
      ['processors/resource'],
      'Finds out attributes by itself: let the SDKs detect their resource, or write fixed attributes down',
    ],
    [
      'cumulativetodelta deltatocumulative deltatorate interval metricstarttime',
      ['processors/cumulativetodelta'],
      'Changes how metrics count: choose the temporality in the SDKs (`OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE`)',
    ],
    [
      'metricstransform metricsgeneration',
      [],
      'Renames, scales or combines metrics: let views in the SDKs or rules in the backend do it',
    ],
    [
      'groupbyattrs logdedup isolationforest remotetap schema datadogsemantics coralogix sumologic drain',
      [],
      'Changes telemetry for one backend or purpose: leave it out, or write a component of your own, a TypeScript file',
    ],
  ],
  exporter: [
    [
      'otlp otlpgrpc otelarrow stef',
      SEND,
      'Sends OTLP or a denser form of it: backends that take these take plain OTLP',
    ],
    ['otlphttp', SEND, 'Sends OTLP over HTTP: most backends take it over gRPC, too'],
    ['logging', ['exporters/debug'], 'Was taken out of the Collector, too, in favour of the nearest'],
    ['debug', ['exporters/file'], 'Prints what passes'],
    ['nop', ['exporters/debug'], 'Throws away what it gets'],
    ['file', ['exporters/debug'], 'Writes files'],
    [
      'prometheusremotewrite googlemanagedprometheus',
      ['exporters/otlp_http'],
      'Writes to Prometheus: Prometheus, Mimir and VictoriaMetrics take OTLP over HTTP',
    ],
    [
      'prometheus',
      ['exporters/otlp_http'],
      'Offers a page to scrape: Prometheus takes OTLP over HTTP, so nothing needs to be scraped',
    ],
    ['loki', ['exporters/otlp_http'], 'Sends to Loki: Loki 3 takes OTLP over HTTP'],
    ['jaeger zipkin opencensus skywalking', SEND, 'Sends spans in an older format: Jaeger and its like take OTLP'],
    [
      'loadbalancing',
      ['exporters/otlp_grpc'],
      'Spreads telemetry over backends: the nearest spreads requests over the addresses of a name, but does not keep traces together',
    ],
    [
      'splunkhec',
      ['exporters/security_event', 'exporters/otlp_http'],
      'Sends to Splunk: send OTLP to a Splunk Collector, and security events straight to its event collector',
    ],
    [
      'elasticsearch opensearch datadog signalfx sapm coralogix dataset logzio logicmonitor sumologic mezmo sentry influxdb tinybird bmchelix faro honeycombmarker azuremonitor googlecloud awsxray awsemf awscloudwatchlogs alibabacloudlogservice tencentcloudlogservice instana dynatrace',
      SEND,
      'Speaks the protocol of one backend: most of these take OTLP today, at an endpoint of their own',
    ],
    [
      'clickhouse cassandra doris azuredataexplorer kafka pulsar rabbitmq awskinesis awss3 azureblob googlecloudpubsub googlecloudstorage',
      ['exporters/otlp_grpc', 'exporters/file'],
      'Writes to a store or a queue: send OTLP to a Collector that does, or write files for a loader',
    ],
    ['carbon syslog', SEND, 'Writes lines for another tool: send OTLP to a Collector that does'],
  ],
  connector: [
    ['forward', [], 'Leads from one pipeline into another: put the components of both into one pipeline'],
    [
      'count sum spanmetrics servicegraph exceptions signaltometrics metricsaslogs slowsql',
      [],
      'Makes metrics or logs of other telemetry: let the backend do it, or a Collector behind this one',
    ],
    [
      'routing',
      ['connectors/forward'],
      'Chooses pipelines by conditions: pipelines of their own for senders that use receivers of their own, or let the backend choose',
    ],
    [
      'failover roundrobin',
      ['connectors/forward'],
      'Chooses among pipelines: list several exporters, each has a queue of its own and repeats what fails',
    ],
    ['datadog grafanacloud otlpjson', [], 'Prepares telemetry for one backend: leave it out'],
  ],
  extension: [
    ['healthcheck healthcheckv2', ['extensions/health_check'], 'Says whether the collector is well'],
    ['zpages pprof', ['extensions/zpages', 'extensions/pprof'], 'Shows the inside of the collector'],
    ['memoryballast', ['processors/memory_limiter'], 'Was taken out of the Collector: limit memory instead'],
    ['memorylimiter', ['processors/memory_limiter'], 'Refuses requests while memory is short'],
    ['cgroupruntime', [], 'Sets what only a Go program needs: leave it out'],
    [
      'filestorage dbstorage redisstorage',
      ['extensions/file_storage'],
      'Keeps queues over restarts: a folder does, too',
    ],
    ['basicauth', ['extensions/bearertokenauth'], 'Asks for, or sends, a name and a password'],
    [
      'bearertokenauth oauth2client googleclientauth azureauth',
      ['extensions/bearertokenauth'],
      'Gets and sends tokens: let something else renew a token in a file, which the nearest reads again when it changes',
    ],
    ['oidc', ['extensions/bearertokenauth'], 'Checks tokens of an issuer: let a proxy in front check them'],
    ['headerssetter', [], 'Puts metadata of requests into headers: write fixed `headers` into the exporter'],
    ['asapclient sigv4auth', [], 'Signs requests: send to a proxy or a Collector that signs'],
    [
      'opamp awsproxy httpforwarder jaegerremotesampling ack remotetap',
      ['extensions/api'],
      'Serves others beside the pipelines: let a program of its own do it',
    ],
    [
      'dockerobserver ecsobserver ecstaskobserver hostobserver k8sobserver kafkatopicsobserver cfgardenobserver k8sleaderelector',
      [],
      'Serves receivers that find their targets: leave it out with them',
    ],
    [
      'otlpencoding jsonlogencoding textencoding jaegerencoding zipkinencoding skywalkingencoding avrologencoding awslogsencoding awscloudwatchmetricstreamsencoding googlecloudlogentryencoding azureencoding',
      [],
      'Serves components that read or write other formats: leave it out with them',
    ],
    ['datadog sumologic solarwindsapmsettings', [], 'Belongs to one backend: leave it out'],
  ],
}

/** Types by kind, without underscores. */
const TABLE: ReadonlyMap<string, Substitute> = new Map(
  Object.entries(ROWS).flatMap(([kind, rows]) =>
    rows.flatMap(([types, nearest, advice]) =>
      types.split(' ').map(type => [`${kind}:${type}`, { nearest, advice }] as const),
    ),
  ),
)

/** What to do where the Collector's component of this type is not at hand; undefined when the Collector has none. */
export function substituteFor(kind: Kind, type: string): Substitute | undefined {
  return TABLE.get(`${kind}:${type.toLowerCase().replaceAll('_', '')}`)
}

/** Every type of a kind that has a substitute, for tests and documents. */
export function knownTypes(kind: Kind): readonly string[] {
  return ROWS[kind].flatMap(([types]) => types.split(' '))
}
