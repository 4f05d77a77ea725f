import type { LogRecord } from '#core/data'
import type { DetectionsConfig } from './config.ts'
import { type Finding, outcomeRule } from './detect.ts'
import type { OutcomeRuleId, RuleSet } from './rules/rule-set.ts'

/** What came within a window, by id of the event, with its number in the group. */
interface Group {
  readonly start: bigint
  readonly numbers: Map<string, number>
}

/** Groups under way, and events of all of them, at most; the group that began longest ago is forgotten first. */
const MOST_GROUPS = 10_000
const MOST_EVENTS = 100_000
/** Events of one group. */
const MOST_OF_GROUP = 10_000

/**
 * Failed authentications and denials that pile up, by who acts and on what. Every n-th of them within the window is a
 * finding. Records that come again have the number they had.
 */
export class Bursts {
  readonly #prefix: string
  readonly #count: number
  readonly #window: bigint
  readonly #rules: RuleSet
  readonly #groups = new Map<string, Group>()
  #events = 0

  constructor(prefix: string, { count, window }: NonNullable<DetectionsConfig['bursts']>, rules: RuleSet) {
    this.#prefix = prefix
    this.#count = count
    this.#window = BigInt(Math.round(window * 1e6))
    this.#rules = rules
  }

  /** What one of the gateway's security records brings to a head. */
  enter(record: LogRecord): Finding | undefined {
    const text = (name: string) => {
      const value = record.attributes.get(`${this.#prefix}.security.${name}`)
      return typeof value === 'string' ? value : ''
    }
    const id = ruleOf(text('action'))
    if (id === undefined || !this.#rules.has(id)) return undefined
    const who = text('actor.device_id_hash') || text('actor.id_hash') || text('actor.channel') || text('actor.kind')
    const from = String(record.resource.attributes.get('service.name') ?? '')
    const key = JSON.stringify([id, from, who, id === 'auth.failure_burst' ? text('target.name') : ''])
    const event = text('event_id') || `${record.time}`
    if (this.#number(key, event, record.time) % this.#count !== 0) return undefined
    const { severity, title } = outcomeRule(id)
    const category = id === 'auth.failure_burst' ? 'auth' : 'approval'
    const evidence = `${this.#count} times ${text('action')}`
    return { rule: id, severity, title, detection: 'custom', category, evidence, identity: `${key} ${event}` }
  }

  #number(key: string, event: string, time: bigint): number {
    let group = this.#groups.get(key)
    if (group?.numbers.has(event)) return group.numbers.get(event)!
    if (group === undefined || this.#isOver(group, time)) {
      this.#forget(key)
      group = { start: time, numbers: new Map() }
      this.#groups.set(key, group)
    }
    const number = group.numbers.size + 1
    group.numbers.set(event, number)
    this.#events++
    while (this.#groups.size > MOST_GROUPS || this.#events > MOST_EVENTS)
      this.#forget(this.#groups.keys().next().value!)
    return number
  }

  /** Also when the clock that wrote the records was set back: what came before says nothing of what comes then. */
  #isOver({ start, numbers }: Group, time: bigint): boolean {
    return time - start > this.#window || start - time > this.#window || numbers.size >= MOST_OF_GROUP
  }

  #forget(key: string): void {
    this.#events -= this.#groups.get(key)?.numbers.size ?? 0
    this.#groups.delete(key)
  }
}

function ruleOf(action: string): OutcomeRuleId | undefined {
  if (action === 'gateway.auth.failed') return 'auth.failure_burst'
  return action === 'exec.approval.denied' || action === 'tool.execution.blocked' ? 'approval.denial_burst' : undefined
}
