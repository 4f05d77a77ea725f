import type { Schema } from './schema.ts'
import { elementOf, kindOf, optionsOf } from './schema-kind.ts'

/** The options of a section as a Markdown table, nested ones with dotted names, for the README of a component. */
export function optionTable(schema: Schema<unknown>): string {
  const rows = [...rowsOf(schema, '')]
  if (rows.length === 0) return 'No options.\n'
  return ['| Option | Type | Default | Description |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}

function* rowsOf(schema: Schema<unknown>, prefix: string): Iterable<string> {
  for (const [name, option] of Object.entries(optionsOf(schema))) {
    const path = prefix + name
    if (kindOf(option) !== 'section' || isSwitch(option) || option.description !== undefined) yield row(path, option)
    yield* rowsBelow(option, path)
  }
}

function rowsBelow(option: Schema<unknown>, path: string): Iterable<string> {
  switch (kindOf(option)) {
    case 'section':
      return rowsOf(option, `${path}.`)
    case 'list':
      return rowsBelow(elementOf(option), `${path}[]`)
    case 'map':
      return rowsBelow(elementOf(option), `${path}.*`)
    default:
      return []
  }
}

function row(path: string, option: Schema<unknown>): string {
  const deprecated = typeof option.deprecated === 'string' ? ` **Deprecated**: ${option.deprecated}.` : ''
  const cells = [`\`${path}\``, typeName(option), defaultText(option), (option.description ?? '') + deprecated]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

/** What is written, in the words of the field. */
function typeName(schema: Schema<unknown>): string {
  switch (kindOf(schema)) {
    case 'oneOf':
      return (schema.enum as readonly unknown[]).map(word => `\`${word}\``).join(', ')
    case 'list':
      return `list of ${plural(typeName(elementOf(schema)))}`
    case 'map':
      return `map of ${plural(typeName(elementOf(schema)))}`
    case 'string':
      return schema.secret === true ? 'secret' : (FORMATS[String(schema.format)] ?? 'string')
    case 'bytes':
      return 'size'
    case 'integer':
      return 'whole number'
    case 'any':
      return 'any value'
    default:
      return kindOf(schema)
  }
}

const FORMATS: { readonly [format: string]: string } = {
  endpoint: 'endpoint',
  'component-id': 'component id',
  regex: 'regular expression',
}

function plural(type: string): string {
  if (type.startsWith('`') || type.endsWith('s')) return type
  return type
    .replace(/^(list|map|size|section)\b/, '$1s')
    .replace(/(string|number|value|id|secret|endpoint|duration|boolean|expression)$/, '$1s')
}

function defaultText(option: Schema<unknown>): string {
  if (isSwitch(option)) return option.default === undefined ? 'off' : 'on'
  if (option.optional === true) return ''
  if (option.default === undefined) return kindOf(option) === 'section' ? '' : 'required'
  if (kindOf(option) === 'section') return ''
  return `\`${typeof option.default === 'string' ? option.default || '""' : JSON.stringify(option.default)}\``
}

function isSwitch(option: Schema<unknown>): boolean {
  return option.switchable === true
}
