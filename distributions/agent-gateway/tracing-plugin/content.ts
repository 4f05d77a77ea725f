import { fieldsOf, listOf } from './fields.ts'

/** Which texts of a conversation may leave with the spans. All of them stay by default. */
export interface ContentPolicy {
  readonly inputMessages: boolean
  readonly outputMessages: boolean
  readonly toolInputs: boolean
  readonly toolOutputs: boolean
  readonly systemPrompt: boolean
}

/** Longest text of one attribute, in UTF-16 code units. */
const MAX_CONTENT = 8192

const NONE: ContentPolicy = {
  inputMessages: false,
  outputMessages: false,
  toolInputs: false,
  toolOutputs: false,
  systemPrompt: false,
}

/**
 * Reads `diagnostics.otel.captureContent`: `true` is all but the system prompt, an object names what (and counts only
 * with `enabled: true`), as the gateway reads it.
 */
export function contentPolicyOf(setting: unknown): ContentPolicy {
  if (setting === true) {
    return { inputMessages: true, outputMessages: true, toolInputs: true, toolOutputs: true, systemPrompt: false }
  }
  const named = fieldsOf(setting)
  if (named.enabled !== true) return NONE
  return {
    inputMessages: named.inputMessages === true,
    outputMessages: named.outputMessages === true,
    toolInputs: named.toolInputs === true,
    toolOutputs: named.toolOutputs === true,
    systemPrompt: named.systemPrompt === true,
  }
}

/** A text or any other value as an attribute: JSON where it is no text, and never more than 8192 characters. */
export function contentOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text === '' ? undefined : shortened(text)
}

/** Messages in the form of `gen_ai.input.messages` and `gen_ai.output.messages`. */
export function messagesOf(role: 'user' | 'assistant', texts: readonly unknown[]): string | undefined {
  const said = texts.filter(text => typeof text === 'string' && text !== '') as string[]
  if (said.length === 0) return undefined
  return JSON.stringify(said.slice(0, 16).map(text => ({ role, parts: [{ type: 'text', content: shortened(text) }] })))
}

/** How much a tool's result says: the characters of its text parts, and how many parts it has. */
export function sizeOf(content: unknown): { chars: number; parts: number } {
  if (typeof content === 'string') return { chars: content.length, parts: 1 }
  let chars = 0
  const parts = listOf(content)
  for (const part of parts) {
    const { text } = fieldsOf(part)
    if (typeof text === 'string') chars += text.length
  }
  return { chars, parts: parts.length }
}

function shortened(text: string): string {
  return text.length > MAX_CONTENT ? `${text.slice(0, MAX_CONTENT)}… (${text.length} characters)` : text
}
