import { type Key, key, type LogRecord, type Span, type Value } from '#core/data'
import { compileGoRegExp, valueAsText } from '#core/transform'
import type { OwnRule } from './config.ts'
import type { Finding } from './detect.ts'
import type { Subject } from './subject.ts'

/** What the rules of a configuration find in a record. */
export type OwnRules = (record: Span | LogRecord, subject: Subject) => Finding[]

/** The rules of a configuration. `<prefix>` in names of attributes stands for `prefix`. */
export function ownRules(rules: readonly OwnRule[], prefix: string): OwnRules {
  const compiled = rules.map(rule => compile(rule, prefix))
  return (record, subject) => compiled.flatMap(find => find(record, subject) ?? [])
}

const LONGEST = 65_536

function compile(rule: OwnRule, prefix: string): (record: Span | LogRecord, subject: Subject) => Finding | undefined {
  const { id, severity, title, signals, category } = rule
  const pattern = compileGoRegExp(rule.pattern).regexp
  const except = rule.except === '' ? undefined : compileGoRegExp(rule.except).regexp
  const spanNames = rule.span_names === '' ? undefined : compileGoRegExp(rule.span_names).regexp
  const names = rule.attributes.map(name => {
    const expanded = name.replaceAll('<prefix>', prefix)
    return { key: key(expanded), isBody: expanded === 'body' }
  })
  return (record, { signal, traceId, spanId, callId, time }) => {
    if (!signals.includes(signal)) return undefined
    if ('startTime' in record && spanNames !== undefined && !spanNames.test(record.name)) return undefined
    for (const name of names) {
      const value = valueIn(record, name)
      if (value === undefined || value === null) continue
      const text = valueAsText(value).slice(0, LONGEST)
      const match = pattern.exec(text)
      if (match === null || except?.test(text)) continue
      const evidence = text.slice(Math.max(0, match.index - 20), match.index + match[0].length + 20)
      const identity = `${traceId || time} ${callId || spanId} ${match[0]}`
      return { rule: id, severity, title: title || id, detection: 'custom', category, evidence, identity }
    }
    return undefined
  }
}

function valueIn(
  record: Span | LogRecord,
  { key, isBody }: { readonly key: Key; readonly isBody: boolean },
): Value | undefined {
  if (isBody && 'body' in record) return record.body
  return record.attributes.get(key)
}
