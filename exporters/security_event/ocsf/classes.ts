/** An event class of OCSF, as far as this mapping writes it. */
export interface OcsfClass {
  readonly uid: number
  readonly name: string
  readonly category: string
  /** Captions of activities by id. 0 and 99 belong to every class. */
  readonly activities: Readonly<Record<number, string>>
  /** Where in the event each group of attributes goes; a group without a place is left in `unmapped`. */
  readonly places: { readonly [G in Group]?: string }
  /** Groups without which the record cannot be an event of this class: one of each list. */
  readonly needs: readonly (readonly Group[])[]
  /** When a record becomes one, for the reference table. */
  readonly when: string
}

/** Attributes that describe one thing. `http_request` has its URL within. */
export type Group =
  | 'user'
  | 'src_endpoint'
  | 'dst_endpoint'
  | 'http_request'
  | 'http_response'
  | 'device'
  | 'process'
  | 'api'
  | 'ai_model'
  | 'finding'
  | 'service'
  | 'privileges'
  | 'entity'

const COMMON_ACTIVITIES = { 0: 'Unknown', 99: 'Other' } as const

/** The classes in use, with the constraints of OCSF 1.8.0 (https://schema.ocsf.io/1.8.0). */
export const CLASSES = {
  base: {
    uid: 0,
    name: 'Base Event',
    category: 'Uncategorized',
    activities: COMMON_ACTIVITIES,
    places: { user: 'actor.user', device: 'device' },
    needs: [],
    when: 'nothing below holds',
  },
  process: {
    uid: 1007,
    name: 'Process Activity',
    category: 'System Activity',
    activities: { ...COMMON_ACTIVITIES, 1: 'Launch', 2: 'Terminate', 3: 'Open', 4: 'Inject', 5: 'Set User ID' },
    places: { user: 'actor.user', device: 'device', process: 'process', ai_model: 'ai_model' },
    needs: [['process'], ['device']],
    when: 'a `process.*` attribute, with `process.pid` and the host known',
  },
  finding: {
    uid: 2004,
    name: 'Detection Finding',
    category: 'Findings',
    activities: { ...COMMON_ACTIVITIES, 1: 'Create', 2: 'Update', 3: 'Close' },
    places: {
      finding: 'finding_info',
      device: 'device',
      user: 'evidences.user',
      src_endpoint: 'evidences.src_endpoint',
      dst_endpoint: 'evidences.dst_endpoint',
      process: 'evidences.process',
    },
    needs: [],
    when: 'an event name that ends in denied, blocked, alert, detected, detection or violation; a `rule.*` or `threat.*` attribute; `security.*` at WARN or above',
  },
  authentication: {
    uid: 3002,
    name: 'Authentication',
    category: 'Identity & Access Management',
    activities: {
      ...COMMON_ACTIVITIES,
      1: 'Logon',
      2: 'Logoff',
      3: 'Authentication Ticket',
      4: 'Service Ticket Request',
      5: 'Service Ticket Renew',
      6: 'Preauth',
      7: 'Account Switch',
    },
    places: {
      user: 'user',
      src_endpoint: 'src_endpoint',
      dst_endpoint: 'dst_endpoint',
      http_request: 'http_request',
      http_response: 'http_response',
      device: 'device',
      service: 'service',
    },
    needs: [['user'], ['service', 'dst_endpoint']],
    when: 'an event name with a part that begins with auth, login, logon, logout, logoff or signin, with a user and a service or destination',
  },
  entity: {
    uid: 3004,
    name: 'Entity Management',
    category: 'Identity & Access Management',
    activities: {
      ...COMMON_ACTIVITIES,
      1: 'Create',
      2: 'Read',
      3: 'Update',
      4: 'Delete',
      5: 'Move',
      6: 'Enroll',
      7: 'Unenroll',
      8: 'Enable',
      9: 'Disable',
      10: 'Activate',
      11: 'Deactivate',
      12: 'Suspend',
      13: 'Resume',
    },
    places: {
      entity: 'entity',
      user: 'actor.user',
      src_endpoint: 'src_endpoint',
      http_request: 'http_request',
      device: 'device',
    },
    needs: [['entity']],
    when: 'a security record of an agent gateway about a device',
  },
  authorize: {
    uid: 3003,
    name: 'Authorize Session',
    category: 'Identity & Access Management',
    activities: { ...COMMON_ACTIVITIES, 1: 'Assign Privileges', 2: 'Assign Groups' },
    places: {
      user: 'user',
      privileges: 'privileges',
      src_endpoint: 'src_endpoint',
      dst_endpoint: 'dst_endpoint',
      http_request: 'http_request',
      http_response: 'http_response',
      device: 'device',
    },
    needs: [['user'], ['privileges']],
    when: 'an event name with a part that begins with authoriz, grant, privilege or permission, with a user and `user.roles` or `privileges`',
  },
  http: {
    uid: 4002,
    name: 'HTTP Activity',
    category: 'Network Activity',
    activities: {
      ...COMMON_ACTIVITIES,
      1: 'Connect',
      2: 'Delete',
      3: 'Get',
      4: 'Head',
      5: 'Options',
      6: 'Post',
      7: 'Put',
      8: 'Trace',
      9: 'Patch',
    },
    places: {
      http_request: 'http_request',
      http_response: 'http_response',
      src_endpoint: 'src_endpoint',
      dst_endpoint: 'dst_endpoint',
      user: 'actor.user',
      device: 'device',
    },
    needs: [
      ['http_request', 'http_response'],
      ['src_endpoint', 'dst_endpoint'],
    ],
    when: '`http.request.method` and a client or server address',
  },
  lifecycle: {
    uid: 6002,
    name: 'Application Lifecycle',
    category: 'Application Activity',
    activities: {
      ...COMMON_ACTIVITIES,
      1: 'Install',
      2: 'Remove',
      3: 'Start',
      4: 'Stop',
      5: 'Restart',
      6: 'Enable',
      7: 'Disable',
      8: 'Update',
    },
    places: { service: 'app', user: 'actor.user', device: 'device' },
    needs: [['service']],
    when: 'an event name that ends in a word for one of its activities, with `service.name`',
  },
  api: {
    uid: 6003,
    name: 'API Activity',
    category: 'Application Activity',
    activities: { ...COMMON_ACTIVITIES, 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete' },
    places: {
      api: 'api',
      user: 'actor.user',
      src_endpoint: 'src_endpoint',
      dst_endpoint: 'dst_endpoint',
      http_request: 'http_request',
      http_response: 'http_response',
      device: 'device',
      ai_model: 'ai_model',
    },
    needs: [['api'], ['src_endpoint', 'service']],
    when: '`rpc.method`, `gen_ai.tool.name` or `mcp.method.name`, with a client address or `service.name`',
  },
  error: {
    uid: 6008,
    name: 'Application Error',
    category: 'Application Activity',
    activities: { ...COMMON_ACTIVITIES, 1: 'General Error', 2: 'Translation Error' },
    places: { user: 'actor.user', device: 'device' },
    needs: [],
    when: 'severity ERROR or FATAL',
  },
} as const satisfies Record<string, OcsfClass>

export type ClassName = keyof typeof CLASSES

/** By `class_uid`. */
export const CLASS_BY_UID: ReadonlyMap<number, ClassName> = new Map(
  (Object.keys(CLASSES) as ClassName[]).map(name => [CLASSES[name].uid, name]),
)
