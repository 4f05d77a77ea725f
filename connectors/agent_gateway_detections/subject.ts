import type { LogRecord, Span, Value } from '#core/data'
import { newMessages, textIn } from './messages.ts'
import { firstOf, firstText, type Names } from './names.ts'
import { readToolInput, scriptOf } from './tool-input.ts'

/** A span or log record as rules see it. */
export interface Subject {
  readonly signal: 'traces' | 'logs'
  readonly traceId: string
  readonly spanId: string
  /** Nanoseconds since the epoch: when the span began, when the record was made. */
  readonly time: bigint
  /** Empty when it is not about a tool. */
  readonly tool: string
  readonly callId: string
  /** Shell scripts that were run. */
  readonly scripts: readonly string[]
  readonly paths: readonly string[]
  readonly urls: readonly string[]
  /** What reached the model from outside, and as what. */
  readonly texts: readonly { readonly text: string; readonly from: 'message' | 'tool_result' }[]
  /** Why the call was not let through; `undefined` when it was. */
  readonly blocked: string | undefined
  readonly failed: boolean
  readonly channel: string | undefined
  readonly session: string | undefined
  readonly agent: string | undefined
}

/** What a span says. */
export function subjectOfSpan(span: Span, names: Names): Subject {
  const { name } = span
  const tool = firstText(span.attributes, names.toolName) ?? TOOL_SPAN.exec(name)?.[1] ?? ''
  const blocked = name === `${names.prefix}.tool.execution` || tool !== '' ? blockedBecause(span, names) : undefined
  return {
    signal: 'traces',
    time: span.startTime,
    blocked,
    failed: span.status.code === 2,
    ...common(span, names, tool),
  }
}

/** What a log record says in its attributes. Its body is text of the gateway's own, and looked at by added rules only. */
export function subjectOfLog(record: LogRecord, names: Names): Subject {
  const tool = firstText(record.attributes, names.toolName) ?? ''
  return {
    signal: 'logs',
    time: record.time === 0n ? record.observedTime : record.time,
    blocked: undefined,
    failed: record.severityNumber >= 17,
    ...common(record, names, tool),
  }
}

/** Spans of the tracing plugin, and of the GenAI conventions. */
const TOOL_SPAN = /^(?:tool\.|execute_tool )(\S+)$/

function common(record: Span | LogRecord, names: Names, tool: string) {
  const { attributes } = record
  const { scripts, paths, urls } = readToolInput(firstOf(attributes, names.toolInput), tool)
  const command = firstOf(attributes, names.command)
  if (command !== undefined) scripts.push(scriptOf(command))
  const path = firstText(attributes, names.path)
  if (path !== undefined) paths.push(path)
  return {
    traceId: record.traceIdHex(),
    spanId: record.spanIdHex(),
    tool,
    callId: firstText(attributes, names.toolCallId) ?? '',
    scripts,
    paths,
    urls,
    texts: textsIn(firstOf(attributes, names.messages), firstOf(attributes, names.toolOutput)),
    channel: firstText(attributes, names.channel),
    session: firstText(attributes, names.session),
    agent: firstText(attributes, names.agent),
  }
}

function textsIn(messages: Value | undefined, output: Value | undefined): Subject['texts'] {
  const texts: { text: string; from: 'message' | 'tool_result' }[] = []
  if (messages !== undefined) texts.push({ text: newMessages(messages), from: 'message' })
  if (output !== undefined) texts.push({ text: textIn(output), from: 'tool_result' })
  return texts
}

function blockedBecause({ attributes }: Span, names: Names): string | undefined {
  const reason = firstText(attributes, names.deniedReason)
  return reason ?? (firstText(attributes, names.outcome) === 'blocked' ? 'blocked' : undefined)
}
