import { languageWords } from './language-words.ts'

/** Scripts that one language is mostly written in, the more telling first: Japanese has Han characters too. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['th', /\p{Script=Thai}/gu],
]

/** So many words are looked at. */
const SAMPLE = 600
/** Fewer words of a language's commonest are chance. */
const LEAST_HITS = 3

/**
 * The language of a text (ISO 639-1), by its script, else by which language's commonest words it has most of.
 * `null` when that cannot be told, as from a few words.
 */
export function languageOf(words: readonly string[]): string | null {
  const sample = words.slice(0, SAMPLE)
  return scriptOf(sample.join('')) ?? commonest(sample)
}

function scriptOf(text: string): string | null {
  if (text === '') return null
  for (const [language, script] of SCRIPTS) {
    const share = (text.match(script)?.length ?? 0) / text.length
    // A few kana make a text Japanese, whatever else is in it.
    if (share > (language === 'ja' ? 0.1 : 0.3)) return language
  }
  return null
}

function commonest(words: readonly string[]): string | null {
  const hits = new Map<string, number>()
  for (const word of words) {
    for (const language of languageWords.get(word) ?? []) hits.set(language, (hits.get(language) ?? 0) + 1)
  }
  const [first, second] = [...hits].sort(([, a], [, b]) => b - a)
  if (first === undefined || first[1] < LEAST_HITS || first[1] < words.length * 0.05) return null
  return second !== undefined && second[1] > first[1] * 0.8 ? null : first[0]
}
