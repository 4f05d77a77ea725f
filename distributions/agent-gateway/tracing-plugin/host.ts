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

/** The first versions with these, as `year * 10000 + month * 100 + patch`. */
const SINCE = {
  /** Hooks of conversations need permission. */
  permission: 2026_04_23,
  /** Hooks that came later are known, and more of them need permission. */
  newHooks: 2026_05_00,
  /** `before_agent_start` is not known any more. */
  withoutAgentStart: 2026_09_00,
} as const

const NEW_HOOKS = ['agent_turn_prepare', 'reply_payload_sending']
/** Hooks whose events carry what people write. */
const GATED = ['llm_input', 'llm_output', 'agent_end']
const GATED_LATER = ['before_agent_reply', 'before_model_resolve', 'agent_turn_prepare', 'before_prompt_build']

/**
 * Which hooks to ask this gateway for: those it knows and allows. Asking for others does no harm but writes a warning into
 * its log each time. A gateway that does not tell its version is taken for a new one that knows the old hooks, too.
 */
export function hooksFor(all: readonly string[], api: HostApi): string[] {
  const version = versionOf(api)
  const told = version ?? Number.POSITIVE_INFINITY
  const isAllowed = seesConversations(api)
  return all.filter(hook => {
    if (hook === 'before_agent_start') return version === undefined || version < SINCE.withoutAgentStart
    if (NEW_HOOKS.includes(hook) && told < SINCE.newHooks) return false
    if (isAllowed) return true
    return !GATED.includes(hook) && !(GATED_LATER.includes(hook) && told >= SINCE.newHooks)
  })
}

/** Whether the gateway lets the plugin see the hooks of conversations: by its configuration, or because it is old. */
export function seesConversations(api: HostApi): boolean {
  const version = versionOf(api)
  if (version !== undefined && version < SINCE.permission) return true
  const { entries } = fieldsOf(fieldsOf(api.config).plugins)
  return fieldsOf(fieldsOf(fieldsOf(entries)[PLUGIN_ID]).hooks).allowConversationAccess === true
}

/** The version of the gateway, 20260906 for 2026.9.6. */
function versionOf(api: HostApi): number | undefined {
  const found = /^(\d{4})\.(\d{1,2})\.(\d{1,2})/.exec(textOf(fieldsOf(api.runtime).version) ?? '')
  return found ? Number(found[1]) * 10_000 + Number(found[2]) * 100 + Number(found[3]) : undefined
}
