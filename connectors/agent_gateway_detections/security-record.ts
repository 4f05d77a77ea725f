import { hash } from 'node:crypto'
import { type PlainLogRecord, plainAttributes, type Value } from '#core/data'
import type { DetectionsConfig } from './config.ts'
import type { Finding } from './detect.ts'
import { redacted } from './redact.ts'
import type { Severity } from './rules/rule.ts'
import type { Subject } from './subject.ts'

/** The record of a finding, with the id by which it is known wherever it is raised again. */
export interface SecurityRecord {
  readonly id: string
  readonly rule: string
  readonly severity: Severity
  readonly record: PlainLogRecord
}

/** Numbers and texts as the gateway gives its own security records. */
const SEVERITY: Readonly<Record<Severity, readonly [number: number, text: string]>> = {
  critical: [21, 'FATAL'],
  high: [17, 'ERROR'],
  medium: [13, 'WARN'],
  low: [9, 'INFO'],
  info: [9, 'INFO'],
}

/** What a control of the gateway would be called that does the same. */
const FAMILY: Partial<Record<Finding['detection'], string>> = {
  sensitive_file_access: 'secret',
  dangerous_command: 'sandbox',
  tool_blocked: 'authorization',
}

/**
 * A log record in the shape of the gateway's own security records, with the tracing plugin's `security.event.*` beside
 * them. The same finding always makes the same bytes.
 */
export function securityRecord(
  finding: Finding,
  subject: Subject,
  { prefix, evidence }: Pick<DetectionsConfig, 'prefix' | 'evidence'>,
): SecurityRecord {
  const { rule, severity, title, detection } = finding
  const id = uuidOf(`${prefix}\n${rule}\n${finding.identity}`)
  const own: Record<string, Value | undefined> = {
    event_id: id,
    category: finding.category,
    action:
      detection === 'tool_blocked' ? 'tool.execution.blocked' : `${detection === 'custom' ? rule : detection}.detected`,
    outcome: subject.blocked !== undefined ? 'denied' : subject.failed ? 'failure' : 'success',
    severity,
    reason: finding.reason ?? rule,
    'actor.kind': finding.category === 'channel' ? 'user' : 'agent',
    'actor.channel': subject.channel,
    'target.kind': subject.tool === '' ? 'message' : 'tool',
    'target.name': subject.tool,
    'policy.id': rule,
    'control.id': 'collector.detections',
    'control.family': FAMILY[detection],
    'attribute.agent': subject.agent,
    'attribute.session_key': subject.session,
    'attribute.tool_call_id': subject.callId,
    'attribute.evidence': shown(finding.evidence, evidence),
  }
  const attributes: Record<string, Value> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && value !== '') attributes[`${prefix}.security.${name}`] = value
  }
  Object.assign(attributes, {
    'security.event.detected': true,
    'security.event.detection': detection,
    'security.event.severity': severity === 'medium' ? 'warning' : severity,
    'security.event.description': title,
    'rule.id': rule,
    'rule.name': title,
  })
  const [severityNumber, severityText] = SEVERITY[severity]
  return {
    id,
    rule,
    severity,
    record: {
      timeUnixNano: subject.time,
      observedTimeUnixNano: subject.time,
      severityNumber,
      severityText,
      body: { stringValue: `${prefix}.security.event` },
      attributes: plainAttributes(attributes),
      ...(subject.traceId === '' ? {} : { traceId: subject.traceId }),
      ...(subject.spanId === '' ? {} : { spanId: subject.spanId }),
    },
  }
}

function shown(text: string, { show, max_length }: DetectionsConfig['evidence']): string | undefined {
  if (text === '' || show === 'none') return undefined
  return show === 'hash' ? `sha256:${hash('sha256', text, 'hex').slice(0, 16)}` : redacted(text, max_length)
}

/** A UUID of version 8 (RFC 9562): the same for the same text. */
function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
