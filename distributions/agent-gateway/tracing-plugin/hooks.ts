import { AGENT_HOOKS } from './hooks-agent.ts'
import { MESSAGE_HOOKS } from './hooks-messages.ts'
import { MODEL_HOOKS } from './hooks-model.ts'
import { SESSION_HOOKS } from './hooks-session.ts'
import { TOOL_HOOKS } from './hooks-tools.ts'
import type { Hook } from './tracker.ts'

/** Every hook of the gateway that says something about a request, by the gateway's name for it. */
export const HOOKS: Readonly<Record<string, Hook>> = {
  ...MESSAGE_HOOKS,
  ...AGENT_HOOKS,
  ...MODEL_HOOKS,
  ...TOOL_HOOKS,
  ...SESSION_HOOKS,
}
