import { compileGoRegExp } from '#core/transform'
import type { MatchConfig } from './match-option.ts'

/** Whether a text is one of those wanted. */
export type MatchText = (text: string) => boolean

/** A text must equal one of `wanted`, or one of these regular expressions must match some part of it. */
export function textMatcher(wanted: readonly string[], type: MatchConfig['match_type']): MatchText | undefined {
  if (wanted.length === 0) return undefined
  if (type === 'strict') {
    const set = new Set(wanted)
    return text => set.has(text)
  }
  const regexps = wanted.map(pattern => compileGoRegExp(pattern).regexp)
  return text => regexps.some(regexp => regexp.test(text))
}
