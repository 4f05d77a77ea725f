import type { Command } from '../shell/command.ts'

/** How grave a finding is, as the gateway says it. What the tracing plugin's authors call `warning` is `medium`. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The documented detections, and what users add. */
export type Detection = 'sensitive_file_access' | 'prompt_injection' | 'dangerous_command' | 'tool_blocked' | 'custom'

interface RuleBase {
  /** For example `command.reverse_shell`: what `disabled_rules` names, and `rule.id` of its findings. */
  readonly id: string
  readonly severity: Severity
  /** What was found, in a few words. */
  readonly title: string
}

interface Examples {
  /** Found: each is a test. */
  readonly found: readonly string[]
  /** Close, and not found. */
  readonly passed: readonly string[]
}

/** A rule about a path that a tool or a command reads or writes. `match` gets the path in lower case with slashes. */
export interface PathRule extends RuleBase, Examples {
  readonly match: (path: string) => boolean
}

/** A rule about a command that was run. */
export interface CommandRule extends RuleBase, Examples {
  readonly match: (command: Command) => boolean
}

/** A rule about text that reached the model from outside: a message of the user, the result of a tool. */
export interface TextRule extends RuleBase, Examples {
  readonly pattern: RegExp
}
