/** Attributes whose ECS field has another name than the OpenTelemetry semantic conventions give them. */
export const ECS_RENAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'exception.message': 'error.message',
    'exception.type': 'error.type',
    'exception.stacktrace': 'error.stack_trace',
    'enduser.id': 'user.id',
    'deployment.environment': 'service.environment',
    'deployment.environment.name': 'service.environment',
    'service.instance.id': 'service.node.name',
    'process.executable.path': 'process.executable',
    'process.executable.name': 'process.name',
    'http.request.body.size': 'http.request.body.bytes',
    'http.response.body.size': 'http.response.body.bytes',
    'network.protocol.name': 'network.protocol',
    'k8s.pod.name': 'kubernetes.pod.name',
    'k8s.pod.uid': 'kubernetes.pod.uid',
    'k8s.namespace.name': 'kubernetes.namespace',
    'k8s.node.name': 'kubernetes.node.name',
    'k8s.deployment.name': 'kubernetes.deployment.name',
    'k8s.container.name': 'container.name',
  }),
)

/** Attributes that say where else an IP address belongs. */
export const ECS_ADDRESSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'client.address': 'source',
    'source.address': 'source',
    'server.address': 'destination',
    'destination.address': 'destination',
  }),
)

/** Field sets of ECS whose fields have the names of attributes; attributes of any other become `labels`. */
export const ECS_FIELD_SETS: ReadonlySet<string> = new Set(
  'client cloud container destination dns error file host http network organization process rule server service source threat tls url user user_agent kubernetes'.split(
    ' ',
  ),
)
