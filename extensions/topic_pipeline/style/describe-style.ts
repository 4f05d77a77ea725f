import type { StyleProfile } from '../model/writing.ts'
import { MEASURED, type Measures, measure, sentencesOf } from './measure.ts'

/** From this rate on, per thousand words, somebody speaks for themselves. */
const FIRST_PERSON = 4

/** Characters at the end of a text in which its conclusion is looked for. */
const ENDING = 4000

/** The nine fields by counting, without a model. */
export function describeStyle(text: string): StyleProfile {
  const measures = measure(text)
  return { ...measuredFields(text, measures), ...guessedFields(text, measures) }
}

/** What counting knows better than any opinion: where a model disagrees, these win. */
export function measuredFields(
  text: string,
  measures = measure(text),
): Pick<StyleProfile, 'avg_sentence_length' | 'first_person' | 'use_of_examples'> {
  const length = Math.round(measures.sentenceLength)
  return {
    avg_sentence_length: `${length} words (${length < 13 ? 'short' : length <= 20 ? 'medium' : 'long'})`,
    first_person: measures.rates.firstPerson >= FIRST_PERSON,
    use_of_examples:
      /\b(?:for example|for instance|such as|e\.g\.|say,|take the case|consider)\b/i.test(text.slice(0, MEASURED)) ||
      measures.rates.codeBlocks > 0,
  }
}

function guessedFields(whole: string, measures: Measures): Omit<StyleProfile, keyof ReturnType<typeof measuredFields>> {
  const text = whole.slice(0, MEASURED)
  return {
    tone: toneOf(measures),
    vocabulary_complexity: measures.longWords < 0.22 ? 'simple' : measures.longWords <= 0.32 ? 'moderate' : 'advanced',
    structural_patterns: patternsOf(text, measures),
    use_of_analogies: /\b(?:like an? |as if |imagine |think of (?:it|this|them) as|is a bit like|similar to how)/i.test(
      text,
    ),
    typical_intro_style: openingOf(paragraphsOf(text)[0] ?? ''),
    typical_conclusion_style: closingOf(paragraphsOf(whole.slice(-ENDING)).at(-1) ?? ''),
  }
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map(each => each.trim())
    .filter(each => /\p{L}/u.test(each) && !/^#{1,6}\s/.test(each))
}

function toneOf({ rates }: Measures): string {
  const tones = [
    rates.contractions >= 8 || rates.secondPerson >= 15 ? 'conversational' : 'formal',
    ...(rates.codeBlocks > 0 ? ['technical'] : []),
    ...(rates.exclamations >= 4 ? ['enthusiastic'] : []),
    ...(rates.questions >= 8 ? ['questioning'] : []),
  ]
  return tones.join(', ')
}

function patternsOf(text: string, { rates, paragraphLength }: Measures): string[] {
  return [
    ...(rates.headings > 0 ? ['headings'] : []),
    ...(/^\s*\d+[.)]\s/m.test(text) ? ['numbered steps'] : []),
    ...(/^\s*[-*+]\s/m.test(text) ? ['bullet lists'] : []),
    ...(rates.codeBlocks > 0 ? ['code examples'] : []),
    ...(paragraphLength > 0 && paragraphLength < 45 ? ['short paragraphs'] : []),
    ...(paragraphLength >= 90 ? ['long paragraphs'] : []),
    ...(rates.questions >= 6 ? ['questions to the reader'] : []),
    ...(rates.parentheses >= 6 ? ['asides in parentheses'] : []),
  ]
}

function openingOf(paragraph: string): string {
  const [first = ''] = sentencesOf(paragraph)
  if (first.endsWith('?')) return 'opens with a question'
  if (/^["“‘']/.test(first)) return 'opens with a quotation'
  if (/\b(?:I|we|my|our)\b/i.test(first) && /\b(?:was|were|had|ago|yesterday|last|when|once)\b/i.test(first))
    return 'opens with a story of their own'
  if (/\d/.test(first)) return 'opens with a number'
  return 'opens with a statement'
}

function closingOf(paragraph: string): string {
  const last = sentencesOf(paragraph).at(-1) ?? ''
  if (last.endsWith('?')) return 'ends with a question'
  if (/\b(?:try|let me know|subscribe|follow|share|tell me|reach out|check out|join)\b/i.test(last))
    return 'ends with a call to action'
  if (/\b(?:in short|in conclusion|to sum up|summary|takeaway|all in all)\b/i.test(paragraph))
    return 'ends with a summary'
  return 'ends with a statement'
}
