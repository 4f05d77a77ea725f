import type { Group } from './classes.ts'

/** Where an attribute goes: a group, the path within, and the type that OCSF wants there. */
export interface Slot {
  readonly group: Group
  readonly path: string
  /** The path in two where there are two steps. */
  readonly outer: string
  readonly inner: string
  /** `address`: `ip` or `hostname` at the path's place, whichever it is. */
  readonly type: 'text' | 'integer' | 'address' | 'list'
}

type Row = readonly [attribute: string, group: Group, path: string, type?: Slot['type']]

/**
 * Attributes of the OpenTelemetry semantic conventions and their OCSF places, in order of precedence: of two attributes
 * with one place the record's first one counts, the other stays in `unmapped`.
 */
export const ATTRIBUTE_ROWS: readonly Row[] = [
  ['user.id', 'user', 'uid'],
  ['enduser.id', 'user', 'uid'],
  ['user.name', 'user', 'name'],
  ['user.email', 'user', 'email_addr'],
  ['user.full_name', 'user', 'full_name'],
  ['user.roles', 'privileges', 'privileges', 'list'],
  ['privileges', 'privileges', 'privileges', 'list'],
  ['device.id', 'entity', 'uid'],
  ['client.address', 'src_endpoint', 'ip', 'address'],
  ['source.address', 'src_endpoint', 'ip', 'address'],
  ['network.peer.address', 'src_endpoint', 'ip', 'address'],
  ['client.port', 'src_endpoint', 'port', 'integer'],
  ['source.port', 'src_endpoint', 'port', 'integer'],
  ['network.peer.port', 'src_endpoint', 'port', 'integer'],
  ['server.address', 'dst_endpoint', 'ip', 'address'],
  ['destination.address', 'dst_endpoint', 'ip', 'address'],
  ['server.port', 'dst_endpoint', 'port', 'integer'],
  ['destination.port', 'dst_endpoint', 'port', 'integer'],
  ['http.request.method', 'http_request', 'http_method'],
  ['user_agent.original', 'http_request', 'user_agent'],
  ['url.full', 'http_request', 'url.url_string'],
  ['url.path', 'http_request', 'url.path'],
  ['url.query', 'http_request', 'url.query_string'],
  ['url.scheme', 'http_request', 'url.scheme'],
  ['http.request.body.size', 'http_request', 'body_length', 'integer'],
  ['http.response.status_code', 'http_response', 'code', 'integer'],
  ['http.response.body.size', 'http_response', 'body_length', 'integer'],
  ['host.name', 'device', 'hostname'],
  ['host.id', 'device', 'uid'],
  ['process.pid', 'process', 'pid', 'integer'],
  ['process.executable.name', 'process', 'name'],
  ['process.executable.path', 'process', 'path'],
  ['process.command_line', 'process', 'cmd_line'],
  ['process.working_directory', 'process', 'working_directory'],
  ['rpc.method', 'api', 'operation'],
  ['gen_ai.tool.name', 'api', 'operation'],
  ['mcp.method.name', 'api', 'operation'],
  ['rpc.service', 'api', 'service.name'],
  ['gen_ai.request.model', 'ai_model', 'name'],
  ['gen_ai.provider.name', 'ai_model', 'ai_provider'],
  ['gen_ai.system', 'ai_model', 'ai_provider'],
  ['rule.name', 'finding', 'title'],
  ['rule.description', 'finding', 'desc'],
]

/** Attributes of a resource that describe where the event happened; the others stay in `unmapped`. */
export const RESOURCE_ATTRIBUTES: ReadonlySet<string> = new Set(['host.name', 'host.id'])

/** By attribute. */
export const SLOTS: ReadonlyMap<string, Slot> = new Map(
  ATTRIBUTE_ROWS.map(([attribute, group, path, type = 'text']) => [attribute, { group, path, type, ...steps(path) }]),
)

function steps(path: string): { readonly outer: string; readonly inner: string } {
  const [outer, inner = ''] = path.split('.')
  return { outer: outer!, inner }
}

/** One member of each list must be known, else the group's attributes stay in `unmapped`. */
export const GROUP_NEEDS: { readonly [G in Group]: readonly (readonly string[])[] } = {
  user: [['uid', 'name']],
  src_endpoint: [['ip', 'hostname']],
  dst_endpoint: [['ip', 'hostname']],
  http_request: [['http_method', 'url', 'user_agent']],
  http_response: [['code']],
  device: [['hostname', 'uid']],
  process: [['pid']],
  api: [['operation']],
  ai_model: [['name'], ['ai_provider']],
  finding: [['title', 'desc']],
  service: [['name']],
  privileges: [['privileges']],
  entity: [['uid']],
}

/** The methods that OCSF knows. Others stay in `unmapped`. */
export const HTTP_METHODS = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'TRACE', 'PATCH'] as const
