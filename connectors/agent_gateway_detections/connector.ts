import { type ConsumeContext, type Consumer, PartialError, type PipelineContext, type Recorders } from '#core/component'
import { type LogRecord, openDraft, type Payload, type Span } from '#core/data'
import { Bursts } from './bursts.ts'
import type { DetectionsConfig } from './config.ts'
import { detect, type Finding } from './detect.ts'
import { Names } from './names.ts'
import { filtered, Output } from './output.ts'
import { type OwnRules, ownRules } from './own-rules.ts'
import { Recent } from './recent.ts'
import { type RuleSet, ruleSet } from './rules/rule-set.ts'
import { type SecurityRecord, securityRecord } from './security-record.ts'
import { type Subject, subjectOfLog, subjectOfSpan } from './subject.ts'
import { detectionsInstruments } from './telemetry.ts'

/** State that the instances of one id share: the same call is seen in its span and in log records. */
function sharedState({ deduplication, bursts, prefix }: DetectionsConfig, rules: RuleSet) {
  return {
    recent: new Recent(deduplication.window, deduplication.max_entries),
    bursts: bursts && new Bursts(prefix, bursts, rules),
  }
}

/** Raises security records from what spans and log records say, and tells its sender when they could not be handed on. */
export class DetectionsConnector implements Consumer {
  readonly #config: DetectionsConfig
  readonly #next: Consumer
  readonly #context: PipelineContext
  readonly #names: Names
  readonly #rules: RuleSet
  readonly #own: OwnRules
  readonly #state: ReturnType<typeof sharedState>
  readonly #instruments: Recorders<typeof detectionsInstruments>

  constructor(config: DetectionsConfig, next: Consumer, context: PipelineContext) {
    this.#config = config
    this.#next = next
    this.#context = context
    this.#names = new Names(config.prefix)
    this.#rules = ruleSet(config.prefix, config.disabled_rules)
    this.#own = ownRules(config.rules, config.prefix)
    this.#state = context.shared(() => sharedState(config, this.#rules))
    this.#instruments = context.meter.bind(detectionsInstruments)
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    const work = new Work(this.#context.clock.monotonic(), this.#context.build.version)
    if (payload.signal === 'traces') this.#examineSpans(payload as Payload<'traces'>, work)
    else this.#examineLogs(payload as Payload<'logs'>, work)
    const passed = filtered(payload as Payload<'logs'>, work.passed)
    const output = work.output.payload(passed)
    if (output === undefined) return this.#enter(payload, work)
    try {
      await this.#next.consume(output, context)
    } catch (error) {
      if (error instanceof PartialError) this.#enter(payload, work)
      throw error
    }
    this.#enter(payload, work)
  }

  #examineSpans(payload: Payload<'traces'>, work: Work): void {
    for (const span of openDraft(payload).spans()) this.#examine(span, subjectOfSpan(span, this.#names), work)
  }

  #examineLogs(payload: Payload<'logs'>, work: Work): void {
    let at = 0
    for (const record of openDraft(payload).logs()) {
      const subject = subjectOfLog(record, this.#names)
      if (record.body === this.#names.securityBody) {
        if (this.#config.own_records === 'pass') work.passed.add(at)
        if (record.attributes.is(this.#names.action, 'tool.execution.blocked')) work.told.add(blockKey(subject.traceId))
        const finding = this.#state.bursts?.enter(record)
        if (finding !== undefined) this.#raise(finding, subject, record, work)
      } else this.#examine(record, subject, work)
      at++
    }
  }

  #examine(record: Span | LogRecord, subject: Subject, work: Work): void {
    for (const finding of detect(subject, this.#rules)) this.#raise(finding, subject, record, work)
    for (const finding of this.#own(record, subject)) this.#raise(finding, subject, record, work)
  }

  #raise(finding: Finding, subject: Subject, record: Span | LogRecord, work: Work): void {
    if (finding.rule === 'tool.blocked' && this.#state.recent.has(blockKey(subject.traceId), work.now)) return
    const raised = securityRecord(finding, subject, this.#config)
    if (work.raised.has(raised.id) || this.#state.recent.has(raised.id, work.now)) {
      work.duplicates++
      return
    }
    work.raised.set(raised.id, raised)
    work.output.add(record.resource, raised.record)
  }

  /** Counts and remembers once the records are safe: a sender that is refused comes again. */
  #enter(payload: Payload, { raised, passed, told, duplicates, now }: Work): void {
    const { examined, raised: counted, duplicates: again, passed: handedOn } = this.#instruments
    examined.add(payload.items, { signal: payload.signal })
    for (const { id, rule, severity } of raised.values()) {
      this.#state.recent.add(id, now)
      counted.add(1, { rule, severity })
    }
    for (const key of told) this.#state.recent.add(key, now)
    if (duplicates > 0) again.add(duplicates)
    if (passed.size > 0) handedOn.add(passed.size)
  }
}

/** Names a blocked call of a trace among what is remembered. */
function blockKey(traceId: string): string {
  return `blocked ${traceId}`
}

/** What becomes of one payload. */
class Work {
  readonly now: number
  readonly output: Output
  /** By id. */
  readonly raised = new Map<string, SecurityRecord>()
  /** Positions of the records that are handed on as they are. */
  readonly passed = new Set<number>()
  /** What the gateway has told itself, so that it need not be raised from its spans. */
  readonly told = new Set<string>()
  duplicates = 0

  constructor(now: number, version: string) {
    this.now = now
    this.output = new Output({ name: 'agent_gateway_detections', version })
  }
}
