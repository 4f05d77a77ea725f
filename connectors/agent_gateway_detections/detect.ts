import { readsFrom, writesTo } from './rules/command-words.ts'
import { normalizePath } from './rules/paths.ts'
import type { Detection, Severity } from './rules/rule.ts'
import { OUTCOME_RULES, type OutcomeRuleId, type RuleSet } from './rules/rule-set.ts'
import type { Command } from './shell/command.ts'
import { commandsIn } from './shell/commands-in.ts'
import type { Subject } from './subject.ts'

/** What a rule found. */
export interface Finding {
  readonly rule: string
  readonly severity: Severity
  readonly title: string
  readonly detection: Detection
  /** The text that was found, as it stood; not yet fit to be shown. */
  readonly evidence: string
  /** What the finding is about beside the record: two of one record and rule that differ here are two. */
  readonly category: string
  readonly reason?: string
  /** Tells findings of one call, or one text, from others, wherever they are seen again. */
  readonly identity: string
}

/** Paths looked at in one record: a bound for hostile ones. */
const MOST_PATHS = 1000

/** Everything that the built-in rules find. Each rule finds at most one thing in a record. */
export function detect(subject: Subject, rules: RuleSet): Finding[] {
  const findings = new Map<string, Finding>()
  const enter = (finding: Finding) => {
    if (!findings.has(finding.rule)) findings.set(finding.rule, finding)
  }
  const call = `${subject.traceId || subject.time} ${subject.callId || subject.spanId}`
  const commands = [...subject.scripts.flatMap(commandsIn), ...impliedCommands(subject)]
  const access = (path: string, written: boolean) => {
    const normal = normalizePath(path)
    const rule = rules.paths.find(({ match }) => match(normal))
    // Commands make files such as `.env` all the time; nobody makes /etc/shadow.
    if (rule === undefined || (written && rule.severity !== 'critical')) return
    enter({ ...told(rule), detection: 'sensitive_file_access', category: 'secret', evidence: path, identity: call })
  }
  for (const path of [...subject.paths, ...commands.flatMap(readsFrom)].slice(0, MOST_PATHS)) access(path, false)
  for (const path of commands.flatMap(writesTo).slice(0, MOST_PATHS)) access(path, true)
  for (const rule of rules.commands) {
    const command = commands.find(rule.match)
    if (command !== undefined) {
      enter({ ...told(rule), detection: 'dangerous_command', category: 'tool', evidence: command.text, identity: call })
    }
  }
  for (const finding of injections(subject, rules)) enter(finding)
  if (subject.blocked !== undefined && rules.has('tool.blocked')) {
    const { id: rule, severity, title } = outcomeRule('tool.blocked')
    const shown = { evidence: subject.tool, reason: subject.blocked, identity: call }
    enter({ rule, severity, title, detection: 'tool_blocked', category: 'tool', ...shown })
  }
  return [...findings.values()]
}

/** Tools that write to the paths they are given. */
const WRITES = /write|edit|patch|append|create|save|move|copy/i

/** What a tool that writes a file, or fetches a URL, would be as a command: the rules are the same. */
function impliedCommands({ tool, paths, urls }: Subject): Command[] {
  const implied = (program: string, arg: string): Command => ({
    ...{ program, args: [arg], text: `${tool} ${arg}` },
    ...{ assignments: [], wrappers: [], redirects: [], upstream: [], substitutions: [] },
  })
  const written = WRITES.test(tool) ? paths : []
  return [...written.map(path => implied('tee', path)), ...urls.map(url => implied('curl', url))]
}

/** As many rules at once in one text leave little doubt. */
const CERTAIN = 3

/** A text is seen again in each span that carries it, so what tells it from others is what it says. */
function* injections({ texts, traceId, time }: Subject, rules: RuleSet): Iterable<Finding> {
  for (const { text, from } of texts) {
    const plain = plainText(text)
    const found = rules.texts.flatMap(rule => {
      const match = rule.pattern.exec(plain) ?? (plain === text ? null : rule.pattern.exec(text))
      return match === null ? [] : [{ rule, match }]
    })
    for (const { rule, match } of found) {
      const evidence = match.input.slice(Math.max(0, match.index - 20), match.index + match[0].length + 20)
      yield {
        ...told(rule),
        severity: found.length >= CERTAIN ? 'critical' : rule.severity,
        detection: 'prompt_injection',
        category: from === 'message' ? 'channel' : 'tool',
        evidence,
        identity: `${traceId || time} ${from} ${match[0].toLowerCase()}`,
      }
    }
  }
}

/** As a model reads it: without emphasis and what people cannot see, letters of other widths and styles as plain ones. */
function plainText(text: string): string {
  return text.normalize('NFKC').replace(/[\p{Cf}*`]+/gu, '')
}

function told({ id, severity, title }: { readonly id: string; readonly severity: Severity; readonly title: string }) {
  return { rule: id, severity, title }
}

/** One of the rules without a pattern. */
export function outcomeRule(id: OutcomeRuleId): {
  readonly id: string
  readonly severity: Severity
  readonly title: string
} {
  return OUTCOME_RULES.find(rule => rule.id === id)!
}
