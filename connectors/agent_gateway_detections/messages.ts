import type { Value } from '#core/data'
import { parsedOr } from './tool-input.ts'

const LONGEST = 65_536
const DEEPEST = 8

/**
 * What is new in the messages sent to a model: those behind its own last answer, of whoever else wrote them. A model gets
 * the whole conversation with each call; what was in it before has been looked at before.
 */
export function newMessages(value: Value): string {
  const messages = typeof value === 'string' ? parsedOr(value) : value
  if (!Array.isArray(messages)) return textIn(messages)
  const roles = messages.map(message => String((message as { readonly role?: unknown } | null)?.role ?? ''))
  const fresh = messages.slice(roles.lastIndexOf('assistant') + 1)
  return textIn(
    fresh.filter(message => !/^(system|developer)$/.test(String((message as { role?: unknown } | null)?.role))),
  )
}

/** All texts in a value, one below the other. */
export function textIn(value: unknown): string {
  const texts: string[] = []
  let length = 0
  const walk = (each: unknown, depth: number) => {
    if (length > LONGEST || depth > DEEPEST) return
    if (typeof each === 'string') {
      const parsed = depth === 0 ? parsedOr(each) : each
      if (typeof parsed === 'string') {
        texts.push(parsed)
        length += parsed.length
      } else walk(parsed, depth + 1)
    } else if (Array.isArray(each)) for (const one of each) walk(one, depth + 1)
    else if (typeof each === 'object' && each !== null && !(each instanceof Uint8Array)) {
      for (const [name, one] of Object.entries(each)) if (!NOT_TEXT.has(name)) walk(one, depth + 1)
    }
  }
  walk(value, 0)
  return texts.join('\n').slice(0, LONGEST)
}

const NOT_TEXT: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'mime_type',
  'mimeType',
  'modality',
  'data',
  'name',
])
