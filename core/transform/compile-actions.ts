import type { ConsumeContext, Logger } from '#core/component'
import { type Attributes, Double, type Key, key, type Value } from '#core/data'
import type { ActionConfig } from './actions-option.ts'
import { contextSource } from './context-source.ts'
import { convert } from './convert.ts'
import { compileGoRegExp } from './go-regexp.ts'
import { hashOf } from './hash.ts'

/** Applies a list of actions, one after the other, to the attributes of one record or resource. */
export type ApplyActions = (attributes: Attributes, context: ConsumeContext) => void

/** A value to set, or `undefined` when there is none. */
type Source = (attributes: Attributes, context: ConsumeContext) => Value | Double | undefined

/** Compiles actions that have passed `checkActions`. Conversions that fail are told to `logger`, at debug level. */
export function compileActions(actions: readonly ActionConfig[], logger: Logger): ApplyActions {
  const compiled = actions.map(action => compile(action, logger))
  if (compiled.length === 1) return compiled[0]!
  return (attributes, context) => {
    for (const apply of compiled) apply(attributes, context)
  }
}

function compile(action: ActionConfig, logger: Logger): ApplyActions {
  const name = key(action.key)
  switch (action.action.toLowerCase()) {
    case 'insert':
      return setting(action, (attributes, value) => attributes.insert(name, value))
    case 'update':
      return setting(action, (attributes, value) => attributes.update(name, value))
    case 'upsert':
      return setting(action, (attributes, value) => attributes.set(name, value))
    case 'delete':
      return forKeys(action, name, (attributes, each) => attributes.delete(each))
    case 'hash':
      return forKeys(action, name, (attributes, each) => {
        const value = attributes.get(each)
        if (value !== undefined) attributes.set(each, hashOf(value, attributes.kind(each)))
      })
    case 'extract':
      return extracting(action, name)
    default:
      return attributes => convert(attributes, name, action.converted_type, logger)
  }
}

function setting(action: ActionConfig, set: (attributes: Attributes, value: Value | Double) => void): ApplyActions {
  const source = sourceOf(action)
  const fallback = (action.default_value ?? undefined) as Value | undefined
  return (attributes, context) => {
    const found = source(attributes, context)
    const value = found === undefined ? fallback : found
    if (value !== undefined) set(attributes, value)
  }
}

function sourceOf(action: ActionConfig): Source {
  if (action.value != null) {
    const value = action.value as Value
    return () => value
  }
  if (action.from_context !== '') {
    const source = contextSource(action.from_context)
    return (_, context) => source(context)
  }
  if (action.from_attribute === '') return () => undefined
  const from = key(action.from_attribute)
  return attributes => {
    const value = attributes.get(from)
    return typeof value === 'number' && attributes.kind(from) === 'double' ? new Double(value) : value
  }
}

/** The key itself, if there is one, then every key that the pattern matches. */
function forKeys(
  action: ActionConfig,
  name: Key,
  act: (attributes: Attributes, key: string | Key) => void,
): ApplyActions {
  const regexp = action.pattern === '' ? undefined : compileGoRegExp(action.pattern).regexp
  return attributes => {
    if (action.key !== '') act(attributes, name)
    if (regexp === undefined) return
    const matching: string[] = []
    for (const [each] of attributes) if (regexp.test(each)) matching.push(each)
    for (const each of matching) act(attributes, each)
  }
}

function extracting(action: ActionConfig, name: Key): ApplyActions {
  const { regexp, groups } = compileGoRegExp(action.pattern)
  const targets = groups.map(key)
  return attributes => {
    const value = attributes.get(name)
    if (typeof value !== 'string') return
    const match = regexp.exec(value)
    if (match === null) return
    for (const [i, target] of targets.entries()) attributes.set(target, match[i + 1] ?? '')
  }
}
