import { type Static, t } from '#core/config'
import { compileGoRegExp } from './go-regexp.ts'

const action = t.section({
  key: t.string({ default: '', description: 'The attribute to act on.' }),
  action: t.string({
    description: '`insert`, `update`, `upsert`, `delete`, `hash`, `extract` or `convert`, in lower or upper case.',
  }),
  value: t.optional(t.any({ description: 'The value to set, with the type it is written in.' })),
  from_attribute: t.string({ default: '', description: 'The attribute whose value to set.' }),
  from_context: t.string({
    default: '',
    description: 'What of the request to set: `metadata.<name>`, `auth.<name>` or `client.address`.',
  }),
  default_value: t.optional(t.any({ description: 'The value to set when the source has none.' })),
  pattern: t.string({
    default: '',
    description: 'For delete and hash a regular expression for keys; for extract one with named groups for the value.',
  }),
  converted_type: t.string({ default: '', description: 'For convert: `int`, `double` or `string`.' }),
})

/** One action as received. */
export type ActionConfig = Static<typeof action>

/** The option for a list of attribute actions, with the Collector's keys. Pair with {@link checkActions}. */
export function actionsOption(description: string) {
  return t.list(action, { default: [], description })
}

/** Faults in the actions, in the Collector's words. */
export function* checkActions(actions: readonly ActionConfig[]): Iterable<string> {
  for (const [i, each] of actions.entries()) {
    const missing = missingKey(each)
    if (missing !== undefined)
      yield `error creating AttrProc due to missing required field ${missing} at the ${i}-th action`
    else
      for (const fault of faultsOf(each))
        yield `error with key "${each.key}" (${i}-th action): error creating AttrProc${fault}`
  }
}

function missingKey({ key, pattern, ...each }: ActionConfig): string | undefined {
  if (key !== '') return undefined
  if (!['delete', 'hash'].includes(each.action.toLowerCase())) return '"key"'
  return pattern === '' ? '(at least one of "key" and "pattern" have to be used)' : undefined
}

function* faultsOf(each: ActionConfig): Iterable<string> {
  const action = each.action.toLowerCase()
  const { value, from_attribute: attribute, from_context: context, pattern, converted_type: type } = each
  const sources = Number(value != null) + Number(attribute !== '') + Number(context !== '')
  const unused = (field: string) => `. Action "${action}" does not use the "${field}" field. This must not be specified`
  switch (action) {
    case 'insert':
    case 'update':
    case 'upsert':
      if (sources === 0 && each.default_value == null) {
        yield '. Either field "value", "from_attribute", "from_context", or "default_value" must be specified'
      }
      if (sources > 1) yield ' due to multiple value sources being set'
      if (pattern !== '') yield unused('pattern')
      if (type !== '') yield unused('converted_type')
      return
    case 'delete':
    case 'hash':
      if (value != null || attribute !== '') {
        yield `. Action "${action}" does not use "value" or "from_attribute" field. These must not be specified`
      }
      if (type !== '') yield unused('converted_type')
      yield* patternFaults(pattern)
      return
    case 'extract':
      if (sources > 0) yield `. Action "${action}" does not use a value source field. These must not be specified`
      if (type !== '') yield unused('converted_type')
      if (pattern === '') yield ` due to missing required field "pattern" for action "${action}"`
      else yield* groupFaults(pattern)
      return
    case 'convert':
      if (sources > 0 || pattern !== '') {
        yield `. Action "${action}" does not use value sources or "pattern" field. These must not be specified`
      }
      if (type === '') yield ` due to missing required field "converted_type" for action "${action}"`
      else if (!TYPES.includes(type)) {
        yield ` due to invalid value "${type}" in field "converted_type" for action "${action}"`
      }
      return
    default:
      yield ` due to unsupported action "${action}"`
  }
}

const TYPES = ['int', 'double', 'string']

function* patternFaults(pattern: string): Iterable<string> {
  try {
    compileGoRegExp(pattern)
  } catch {
    yield `. Field "pattern" has invalid pattern: "${pattern}"`
  }
}

function* groupFaults(pattern: string): Iterable<string> {
  const faults = [...patternFaults(pattern)]
  yield* faults
  if (faults.length > 0) return
  const { groups } = compileGoRegExp(pattern)
  if (groups.length === 0) yield '. Field "pattern" contains no named matcher groups'
  else if (groups.includes('')) yield '. Field "pattern" contains at least one unnamed matcher group'
}
