import { fieldsOf, textOf } from './fields.ts'
import { PLUGIN_ID } from './identity.ts'
import type { Logger } from './log.ts'

/** What the gateway hands to a plugin, as far as it is used here. Any of it may be absent. */
export interface HostApi {
  readonly config?: unknown
  readonly logger?: Logger
  readonly runtime?: unknown
  readonly rootDir?: string
  on?(hook: string, handler: (event: unknown, context: unknown) => unknown): void
  registerHook?(events: readonly string[], handler: (event: unknown) => unknown, options: object): void
  registerService?(service: { id: string; start(): void; stop(): Promise<void> }): void
}

/** Versions, as year and month, since which hooks are other ones, and more of them need permission. */
const NEW_HOOKS = 202605
const WITHOUT_AGENT_START = 202609

/** Hooks whose events carry what people write. The gateway gives them only with permission. */
const ALWAYS_GATED = ['llm_input', 'llm_output', 'agent_end']
const NEWER = ['agent_turn_prepare', 'reply_payload_sending']
const GATED_LATER = ['before_agent_reply', 'before_model_resolve', 'agent_turn_prepare', 'before_prompt_build']

/**
 * Which hooks to ask this gateway for: those it knows and allows. Asking for others does no harm but writes a warning into
 * its log each time. A gateway that does not tell its version is asked for all.
 */
export function hooksFor(all: readonly string[], api: HostApi): string[] {
  const version = versionOf(api)
  const isAllowed = hasConversationAccess(api.config)
  return all.filter(hook => {
    if (hook === 'before_agent_start') return version === undefined || version < WITHOUT_AGENT_START
    if (NEWER.includes(hook) && version !== undefined && version < NEW_HOOKS) return false
    if (isAllowed) return true
    if (ALWAYS_GATED.includes(hook)) return false
    return !(GATED_LATER.includes(hook) && version !== undefined && version >= NEW_HOOKS)
  })
}

/** Whether the gateway's configuration lets the plugin see the hooks of conversations. */
export function hasConversationAccess(config: unknown): boolean {
  const { entries } = fieldsOf(fieldsOf(config).plugins)
  return fieldsOf(fieldsOf(fieldsOf(entries)[PLUGIN_ID]).hooks).allowConversationAccess === true
}

/** The version of the gateway as year and month, 202609 for 2026.9.6. */
function versionOf(api: HostApi): number | undefined {
  const found = /^(\d{4})\.(\d{1,2})\./.exec(textOf(fieldsOf(api.runtime).version) ?? '')
  return found ? Number(found[1]) * 100 + Number(found[2]) : undefined
}
