import type { Facts } from './facts.ts'

/** The name of a range of the log data model's severity numbers; `UNSPECIFIED` for 0 and anything beyond 24. */
export function severityName(number: number): string {
  return NAMES[Math.ceil(number / 4)] ?? 'UNSPECIFIED'
}

const NAMES = ['UNSPECIFIED', 'TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']

/** How grave an event is, from 0, unknown, over 1 informational, 2 low, 3 medium and 4 high to 5 critical and 6 fatal. */
export type Grade = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** The words for grades, as OCSF captions them. */
export const GRADE_NAMES = ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical', 'Fatal'] as const

/**
 * Attributes in which a source says itself how grave its event is; the first one present wins, after the one of an agent
 * gateway's security record.
 */
export const SEVERITY_ATTRIBUTES: readonly string[] = ['security.severity', 'finding.severity', 'event.severity']

/** The words that severity attributes and severity texts are understood in, in any case. */
export const GRADE_WORDS: ReadonlyMap<string, Grade> = new Map(
  Object.entries({
    trace: 1,
    debug: 1,
    info: 1,
    information: 1,
    informational: 1,
    notice: 1,
    low: 2,
    warn: 3,
    warning: 3,
    medium: 3,
    moderate: 3,
    error: 4,
    err: 4,
    high: 4,
    critical: 5,
    crit: 5,
    alert: 5,
    emergency: 5,
    fatal: 5,
  } as const),
)

/** The grade of each severity number; 6, "nothing helps any more", is never inferred. */
const GRADES: readonly Grade[] = [0, 1, 1, 1, 3, 4, 5]

/** The source's own word, else the severity number, else the severity text. */
export function gradeOf(facts: Facts): Grade {
  const own = facts.gateway && GRADE_WORDS.get(facts.gateway.text('severity').toLowerCase())
  if (own !== undefined) return own
  for (const name of SEVERITY_ATTRIBUTES) {
    const word = facts.get(name)
    const grade = typeof word === 'string' ? GRADE_WORDS.get(word.toLowerCase()) : undefined
    if (grade !== undefined) return grade
  }
  const grade = GRADES[Math.ceil(facts.severityNumber / 4)] ?? 0
  return grade !== 0 ? grade : (GRADE_WORDS.get(facts.severityText.toLowerCase()) ?? 0)
}
