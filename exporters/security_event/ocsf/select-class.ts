import type { Facts } from '../mapping/facts.ts'
import type { Grade } from '../mapping/severity.ts'
import { CLASS_BY_UID, CLASSES, type ClassName, type Group } from './classes.ts'
import type { Reading } from './reading.ts'

/** The word a source has for what happened: event name, or an attribute that plays its part; empty when there is none. */
export function eventWord(facts: Facts): string {
  const action = facts.gateway?.text('action')
  if (action) return action
  if (facts.eventName !== '') return facts.eventName
  for (const name of EVENT_WORDS) {
    const word = facts.text(name)
    if (word !== undefined) return word
  }
  return ''
}

/** In order. */
export const EVENT_WORDS: readonly string[] = ['event.name', 'event.type', 'event.action']

/** The first class that the record speaks for and whose needs it meets. */
export function selectClass(facts: Facts, reading: Reading, word: string, grade: Grade): ClassName {
  for (const name of candidates(facts, word, grade)) {
    const { needs } = CLASSES[name]
    if (meets(reading, needs)) return name
  }
  return 'base'
}

function meets(reading: Reading, needs: readonly (readonly Group[])[]): boolean {
  return needs.every(groups => groups.some(group => reading.get(group) !== undefined))
}

function* candidates(facts: Facts, word: string, grade: Grade): Iterable<ClassName> {
  const explicit = explicitClass(facts)
  if (explicit !== undefined) yield explicit
  if (word !== '') yield* byWord(word)
  yield* byAttributes(facts, grade)
  if (grade >= 4) yield 'error'
}

/** The class that the record names itself. */
export function explicitClass(facts: Facts): ClassName | undefined {
  const uid = facts.get('ocsf.class_uid')
  return uid === undefined ? undefined : CLASS_BY_UID.get(Number(uid))
}

const BY_WORD = new Map<string, readonly ClassName[]>()

/** What an event name speaks for. Names repeat, so the latest are remembered. */
function byWord(word: string): readonly ClassName[] {
  const known = BY_WORD.get(word)
  if (known !== undefined) return known
  const lower = word.toLowerCase()
  const found = WORD_RULES.filter(([pattern]) => pattern.test(lower)).map(([, name]) => name)
  if (BY_WORD.size >= 1024) BY_WORD.clear()
  BY_WORD.set(word, found)
  return found
}

const AUTHENTICATION = /(^|[._-])(auth(?!or)|login|logon|logout|logoff|signin)/
const AUTHORIZATION = /(^|[._-])(authoriz|grant|privilege|permission)/
/** What ends an event name that tells of something found or prevented. */
export const ALERT = /(denied|blocked|alert|detected|detection|violation)$/i
/** What ends an event name that tells of a change in an application's life. */
export const LIFECYCLE =
  /(^|[._-])(install|remov|uninstall|start|stop|restart|enabl|disabl|updat)(e?d|p?ed|l?ed|ing|e|)$/

const WORD_RULES: readonly (readonly [RegExp, ClassName])[] = [
  [AUTHENTICATION, 'authentication'],
  [AUTHORIZATION, 'authorize'],
  [ALERT, 'finding'],
  [LIFECYCLE, 'lifecycle'],
]

/** What the names of the record's own attributes speak for. */
function* byAttributes(facts: Facts, grade: Grade): Iterable<ClassName> {
  const { names } = facts
  const begins = (prefix: string) => names.some(name => name.startsWith(prefix))
  if (names.includes('http.request.method')) yield 'http'
  if (begins('rpc.') || names.includes('gen_ai.tool.name') || begins('mcp.')) yield 'api'
  if (begins('process.')) yield 'process'
  if (begins('rule.') || begins('threat.') || (grade >= 3 && begins('security.'))) yield 'finding'
}
