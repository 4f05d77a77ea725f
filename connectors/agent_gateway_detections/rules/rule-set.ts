import { COMMAND_RULES } from './commands.ts'
import { gatewayFileRule, PATH_RULES } from './paths.ts'
import type { CommandRule, PathRule, Severity, TextRule } from './rule.ts'
import { TEXT_RULES } from './texts.ts'

/** The built-in rules that are in force. */
export interface RuleSet {
  readonly paths: readonly PathRule[]
  readonly commands: readonly CommandRule[]
  readonly texts: readonly TextRule[]
  /** Whether a rule without a pattern, one of {@link OUTCOME_RULES}, is in force. */
  readonly has: (id: OutcomeRuleId) => boolean
}

/** Rules about how something ended, or how often. */
export const OUTCOME_RULES = [
  { id: 'tool.blocked', severity: 'medium', title: 'Tool call blocked' },
  { id: 'auth.failure_burst', severity: 'high', title: 'Failed authentications pile up' },
  { id: 'approval.denial_burst', severity: 'high', title: 'Denied or blocked tool calls pile up' },
] as const satisfies readonly { readonly id: string; readonly severity: Severity; readonly title: string }[]
export type OutcomeRuleId = (typeof OUTCOME_RULES)[number]['id']

/** Every built-in rule: id, severity, title. */
export function builtInRules(
  prefix: string,
): readonly { readonly id: string; readonly severity: Severity; readonly title: string }[] {
  return [...PATH_RULES, gatewayFileRule(prefix), ...COMMAND_RULES, ...TEXT_RULES, ...OUTCOME_RULES]
}

/** The built-in rules without those disabled, by id or as `<kind>.*`. */
export function ruleSet(prefix: string, disabled: readonly string[]): RuleSet {
  const off = new Set(disabled)
  const isOn = ({ id }: { readonly id: string }) => !off.has(id) && !off.has(`${id.slice(0, id.indexOf('.'))}.*`)
  return {
    paths: [...PATH_RULES, gatewayFileRule(prefix)].filter(isOn),
    commands: COMMAND_RULES.filter(isOn),
    texts: TEXT_RULES.filter(isOn),
    has: id => isOn({ id }),
  }
}
