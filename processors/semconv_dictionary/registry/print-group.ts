import { INSTRUMENTS, SPAN_KINDS, wordsOf } from '../analysis/vocabulary.ts'
import type { Verdict } from '../classification/classify.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { Entry } from '../dictionary/entry.ts'
import { quote } from './quote.ts'
import { registryType } from './registry-type.ts'
import type { Group } from './select-groups.ts'

/** How groups are printed. */
export interface PrintOptions {
  readonly stability: string
  /** The type of groups of log attributes. */
  readonly logGroupType: string
  readonly annotationPrefix: string
}

/** What printing asks about entries. */
export interface PrintSource {
  readonly dictionary: Dictionary
  verdict(entry: Entry): Verdict | undefined
}

/** One group as YAML, an element of the list `groups`. Texts are quoted, keys have one order. */
export function printGroup(group: Group, source: PrintSource, options: PrintOptions): string {
  const { entry, signal, kind, id } = group
  const verdict = source.verdict(entry)
  const type = kind === 'attribute_group' && signal === 'log' ? options.logGroupType : kind
  let text = `  - id: ${quote(id)}\n    type: ${type}\n`
  if (kind === 'metric') text += `    metric_name: ${quote(entry.name)}\n`
  if (kind === 'event') text += `    name: ${quote(entry.name)}\n`
  if (kind === 'span') text += `    span_kind: ${spanKind(entry)}\n`
  text += `    brief: ${quote(briefOf(entry, verdict))}\n`
  if (kind === 'metric') text += `    instrument: ${instrumentOf(entry).printed}\n    unit: ${quote(entry.unit)}\n`
  text += `    stability: ${options.stability}\n`
  const attributes = entry.kind === 'attribute' ? [entry.name] : [...entry.keys].sort()
  if (attributes.length > 0) text += '    attributes:\n'
  for (const name of attributes) text += printAttribute(name, source, options)
  return text + printAnnotations(group, verdict, options)
}

function printAttribute(name: string, { dictionary, verdict }: PrintSource, { stability }: PrintOptions): string {
  const entry = dictionary.get('attribute', name)
  const type = entry === undefined ? 'any' : registryType(entry.values)
  const brief = entry === undefined ? `Observed attribute ${name}.` : briefOf(entry, verdict(entry))
  const examples = EXAMPLES[type]
  return (
    `      - id: ${quote(name)}\n        type: ${quote(type)}\n        brief: ${quote(brief)}\n` +
    `        stability: ${stability}\n        requirement_level: recommended\n` +
    (examples === undefined ? '' : `        examples: ${examples}\n`)
  )
}

/** Placeholders where the registry tool wants examples. Values that were seen are nobody's business. */
const EXAMPLES: Readonly<Record<string, string>> = { string: '["example"]', 'string[]': '[["example"]]' }

function printAnnotations({ entry, signal }: Group, verdict: Verdict | undefined, options: PrintOptions): string {
  const { original } = entry.kind === 'metric' ? instrumentOf(entry) : { original: undefined }
  const lines: (readonly [string, string | undefined])[] = [
    ['status', quote(verdict?.classification ?? 'unclassified')],
    ['first_seen', quote(new Date(entry.firstSeen).toISOString())],
    ['last_seen', quote(new Date(entry.lastSeen).toISOString())],
    ['cardinality', String(entry.sketch.cardinality)],
    ['signal', quote(signal)],
    ['replacement', verdict?.replacement === undefined ? undefined : quote(verdict.replacement)],
    ['original_instrument', original === undefined ? undefined : quote(original)],
  ]
  const prefix = options.annotationPrefix
  const printed = lines.map(([name, value]) =>
    value === undefined ? '' : `      ${quote(`${prefix}.${name}`)}: ${value}\n`,
  )
  return `    annotations:\n${printed.join('')}`
}

/** The convention's sentence, the sender's, or one of ours; always one with a full stop. */
function briefOf({ kind, name, description }: Entry, verdict: Verdict | undefined): string {
  const said = (verdict?.brief ?? description).trim()
  const brief = said === '' ? `Observed ${kind} ${name}` : said
  return /[.!?]$/.test(brief) ? brief : `${brief}.`
}

/** Registries have four instruments; of the others the nearest is printed, and which it was is told beside it. */
function instrumentOf({ instrument }: Entry): { readonly printed: string; readonly original?: string } {
  const [name = 'gauge'] = wordsOf(INSTRUMENTS, instrument)
  return name === 'exponential_histogram' || name === 'summary'
    ? { printed: 'histogram', original: name }
    : { printed: name }
}

/** The kind of span that the attribute was seen on most often. */
function spanKind({ spanKinds }: Entry): string {
  const most = Math.max(...spanKinds)
  return SPAN_KINDS[most === 0 ? 0 : spanKinds.indexOf(most)]!
}
