import type { GatewayEvent } from '../mapping/gateway-event.ts'
import type { JsonObject } from '../mapping/plain-json.ts'
import { activityOf } from './activity.ts'
import type { ClassName } from './classes.ts'

/** What was decided: OCSF's action and disposition. */
type Decision = 'approved' | 'blocked' | 'rejected' | 'unauthorized' | 'revoked' | 'detected'

interface Row {
  readonly type: ClassName
  readonly activity: number
  readonly decision?: Decision
}

/**
 * The actions of an agent gateway's security records and what they are in OCSF. Those of a plugin's life follow from their
 * last word; anything else is a finding where something went wrong, and otherwise goes by category.
 */
export const GATEWAY_ACTIONS: Readonly<Record<string, Row>> = {
  'gateway.auth.succeeded': { type: 'authentication', activity: 1 },
  'gateway.auth.failed': { type: 'authentication', activity: 1, decision: 'blocked' },
  'device.pairing.approved': { type: 'entity', activity: 6, decision: 'approved' },
  'device.pairing.rejected': { type: 'entity', activity: 6, decision: 'rejected' },
  'device.pairing.denied': { type: 'entity', activity: 6, decision: 'unauthorized' },
  'device.pairing.removed': { type: 'entity', activity: 7 },
  'device.pairing.renamed': { type: 'entity', activity: 5 },
  'device.token.rotated': { type: 'entity', activity: 3 },
  'device.token.rotation_denied': { type: 'entity', activity: 3, decision: 'unauthorized' },
  'device.token.revoked': { type: 'entity', activity: 9, decision: 'revoked' },
  'device.token.revocation_denied': { type: 'entity', activity: 9, decision: 'unauthorized' },
  'exec.approval.requested': { type: 'api', activity: 3 },
  'exec.approval.approved': { type: 'api', activity: 3, decision: 'approved' },
  'exec.approval.denied': { type: 'finding', activity: 1, decision: 'blocked' },
  'tool.execution.blocked': { type: 'finding', activity: 1, decision: 'blocked' },
  'plugin.audit.failed': { type: 'finding', activity: 1 },
}

/** What a pairing that was denied would have been, by the control that denied it. */
const DENIED: Readonly<Record<string, number>> = { 'device.pair.remove': 7, 'device.pair.rename': 5 }

/** Captions, by id, as OCSF has them. */
export const DECISIONS: Readonly<
  Record<Decision, readonly [action: number, caption: string, disposition: number, caption: string]>
> = {
  approved: [1, 'Allowed', 8, 'Approved'],
  blocked: [2, 'Denied', 2, 'Blocked'],
  rejected: [2, 'Denied', 25, 'Rejected'],
  unauthorized: [2, 'Denied', 26, 'Unauthorized'],
  revoked: [4, 'Modified', 24, 'Access Revoked'],
  detected: [3, 'Observed', 15, 'Detected'],
}

/** What a gateway's security record is in OCSF, but for what its other attributes and its source say. */
export interface GatewayPlan {
  readonly type: ClassName
  readonly activity: number
  readonly event: JsonObject
  /** The rule or policy that it goes back to, for findings. */
  readonly policy: string
  readonly profiles: readonly string[]
  /** Full names of the attributes that are told by all this. */
  readonly told: ReadonlySet<string>
}

/** How a gateway's security record is to be written. Its hashes become ids, never names: they are nobody's name. */
export function gatewayPlan(gateway: GatewayEvent): GatewayPlan {
  const action = gateway.text('action')
  const row = GATEWAY_ACTIONS[action] ?? otherRow(gateway, action)
  const activity = action === 'device.pairing.denied' ? (DENIED[gateway.text('control.id')] ?? 6) : row.activity
  const writer = new Writer(gateway)
  writer.outcome(row)
  const decision = row.decision ?? (/(^|\.)detected$/.test(action) ? detection(gateway) : denial(gateway))
  if (decision !== undefined) writer.decision(decision)
  writer.objects(row.type)
  const { event, profiles, told } = writer
  return { type: row.type, activity, event, policy: gateway.text('policy.id'), profiles, told }
}

function otherRow(gateway: GatewayEvent, action: string): Row {
  const { outcome } = gateway
  const category = gateway.text('category')
  if (outcome === 'denied' || outcome === 'failure' || outcome === 'error' || /\.detected$/.test(action)) {
    return { type: category === 'auth' && outcome !== 'error' ? authentication(action) : 'finding', activity: 1 }
  }
  if (category === 'auth') return { type: authentication(action), activity: 1 }
  if (category === 'tool' || category === 'approval' || category === 'secret') return { type: 'api', activity: 99 }
  const hints = { word: action.toLowerCase(), method: '', operation: '', explicit: undefined }
  return { type: 'lifecycle', activity: activityOf('lifecycle', hints) }
}

/** Findings about authentications, such as those that pile up, are findings. */
function authentication(action: string): ClassName {
  return /\.detected$/.test(action) ? 'finding' : 'authentication'
}

function detection(gateway: GatewayEvent): Decision {
  return gateway.outcome === 'denied' ? 'blocked' : 'detected'
}

function denial(gateway: GatewayEvent): Decision | undefined {
  return gateway.outcome === 'denied' ? 'blocked' : undefined
}

/** Puts an event together, and notes which attributes it tells. */
class Writer {
  readonly event: JsonObject = {}
  readonly profiles: string[] = []
  readonly told = new Set<string>()
  readonly #gateway: GatewayEvent

  constructor(gateway: GatewayEvent) {
    this.#gateway = gateway
    for (const name of ['event_id', 'action', 'severity']) this.told.add(gateway.name(name))
  }

  /** Findings have states of their own, so their outcome stays as it is. */
  outcome({ type }: Row): void {
    const { outcome } = this.#gateway
    if (type !== 'finding' && outcome !== '') {
      this.#tell('outcome')
      const good = outcome === 'success'
      Object.assign(this.event, { status_id: good ? 1 : 2, status: good ? 'Success' : 'Failure' })
    }
    const reason = this.#tell('reason')
    if (reason !== undefined) this.event.status_detail = reason
  }

  decision(decision: Decision): void {
    const [action_id, action, disposition_id, disposition] = DECISIONS[decision]
    Object.assign(this.event, { action_id, action, disposition_id, disposition })
    this.profiles.push('security_control')
    const uid = this.#tell('policy.id')
    if (uid === undefined) return
    const desc = this.#tell('policy.reason')
    this.event.policy = desc === undefined ? { uid } : { uid, desc }
  }

  objects(type: ClassName): void {
    const user = this.#user()
    if (type === 'authentication') this.event.user = user ?? { uid: 'unknown' }
    else if (type === 'finding') this.#evidence(user)
    else if (user !== undefined) this.event.actor = { user }
    if (type === 'entity') this.event.entity = this.#entity()
    if (type === 'api') this.event.api = this.#api()
    const plugin =
      type === 'lifecycle' && this.#gateway.text('target.kind') === 'plugin' ? this.#tell('target.name') : undefined
    if (plugin !== undefined) this.event.app = { name: plugin }
  }

  #user(): JsonObject | undefined {
    const found = this.#gateway.first('actor.device_id_hash', 'actor.id_hash')
    if (found === undefined) return undefined
    this.told.add(this.#gateway.name(found.name))
    const role = this.#gateway.first('actor.role', 'actor.kind')
    if (role === undefined) return { uid: found.text }
    this.told.add(this.#gateway.name(role.name))
    return { uid: found.text, type_id: 99, type: role.text }
  }

  #evidence(user: JsonObject | undefined): void {
    const evidence: JsonObject = {}
    if (user !== undefined) evidence.user = user
    if (this.#gateway.text('target.kind') === 'tool' && this.#gateway.text('target.name') !== '')
      evidence.api = this.#api()
    const text = this.#tell('attribute.evidence')
    if (text !== undefined) evidence.data = { evidence: text }
    if (Object.keys(evidence).length > 0) this.event.evidences = [evidence]
  }

  #api(): JsonObject {
    const operation = this.#tell('target.name') ?? this.#gateway.text('action')
    const owner = this.#tell('target.owner')
    return owner === undefined ? { operation } : { operation, service: { name: owner } }
  }

  #entity(): JsonObject {
    const uid = this.#tell('target.id_hash') ?? (this.#gateway.text('actor.device_id_hash') || 'unknown')
    const name = this.#tell('target.name')
    this.#tell('target.kind')
    const device: JsonObject = { type_id: 0, uid }
    return { type_id: 1, type: 'Device', uid, ...(name === undefined ? {} : { name }), device }
  }

  /** The text of an attribute that has found its place; `undefined` when it is not there. */
  #tell(name: string): string | undefined {
    const text = this.#gateway.text(name)
    if (text === '') return undefined
    this.told.add(this.#gateway.name(name))
    return text
  }
}
