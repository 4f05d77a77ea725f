import { setImmediate } from 'node:timers/promises'
import type { StyleMatch } from '../model/writing.ts'
import { GENERIC_SAMPLE } from './generic-sample.ts'
import { deviation, type Measures, mean, measure, TRAITS, wordsOf } from './measure.ts'

/** Words of the user that are needed before anything can be said. */
const ENOUGH_WORDS = 2000
/** So many texts are enough, too, when each has {@link PIECE} words. */
const ENOUGH_TEXTS = 3
/** Words that a piece must have for its rates to mean something. */
const PIECE = 150
/** Words of the pieces that longer texts are cut into. */
const CUT = 500
/** Words that writers seldom choose and language models often do. */
const TELLTALE =
  'leverage leveraging delve robust seamless seamlessly crucial comprehensive furthermore moreover additionally landscape empower unlock elevate harness realm tapestry pivotal multifaceted'.split(
    ' ',
  )

/** Characters of each text that are read; how somebody writes does not change behind them. */
const READ = 16_000

/**
 * How near a draft is to the user's own texts: 0 is as far as a text in nobody's voice, 1 as near as the user's texts
 * are to each other. A distance of counted habits in the manner of Burrows's Delta; no model is asked. Gives way to
 * others after each piece that it has counted.
 */
export async function matchStyle(draft: string, own: readonly string[]): Promise<StyleMatch> {
  const pieces: Measures[] = []
  let words = 0
  for (const text of own) {
    const read = text.slice(0, READ)
    words += wordsOf(read).length
    for (const piece of cut(read)) {
      pieces.push(measure(piece))
      await setImmediate()
    }
  }
  if (pieces.length < ENOUGH_TEXTS || (words < ENOUGH_WORDS && own.length < ENOUGH_TEXTS)) {
    const notes = [
      `${ENOUGH_TEXTS} texts of yours, or ${ENOUGH_WORDS} words, are needed; there are ${own.length} with ${words} words`,
    ]
    return { status: 'insufficient_data', notes }
  }
  const yours = pieces.map(habitsOf)
  const generic = habitsOf(measure(GENERIC_SAMPLE))
  const drafted = measure(draft)
  const spreads = generic.map((value, i) => Math.max(deviation([...yours.map(habits => habits[i]!), value]), FLOOR))
  const distance = (a: readonly number[], b: readonly number[]) =>
    mean(a.map((value, i) => Math.abs(value - b[i]!) / spreads[i]!))
  const middle = generic.map((_, i) => mean(yours.map(habits => habits[i]!)))
  const withoutIt = (habits: readonly number[]) =>
    middle.map((value, i) => (value * yours.length - habits[i]!) / (yours.length - 1))
  const among = mean(yours.map(habits => distance(habits, withoutIt(habits))))
  const away = distance(generic, middle)
  if (away <= among * 1.05) {
    return { status: 'insufficient_data', notes: ['Your texts differ from each other as much as from anybody’s'] }
  }
  const near = (away - distance(habitsOf(drafted), middle)) / (away - among)
  const score = Math.round(Math.min(1, Math.max(0, near)) * 100) / 100
  return { status: 'measured', score, notes: [...notesOf(drafted, pieces, score), ...(await strangeWords(draft, own))] }
}

/** Below this spread, per thousand words, a habit is taken to vary by chance. */
const FLOOR = 0.5

function habitsOf({
  sentenceLength,
  sentenceSpread,
  paragraphLength,
  longWords,
  rates,
  functionWords,
}: Measures): number[] {
  return [
    sentenceLength,
    sentenceSpread,
    paragraphLength / 4,
    longWords * 100,
    ...TRAITS.map(trait => rates[trait]),
    ...Object.values(functionWords),
  ]
}

/** Pieces of about {@link CUT} words, at paragraphs; pieces that are too short to count are left out. */
function cut(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let words = 0
  for (const paragraph of text.split(/\n\s*\n/)) {
    piece += `${paragraph}\n\n`
    words += wordsOf(paragraph).length
    if (words < CUT) continue
    pieces.push(piece)
    piece = ''
    words = 0
  }
  if (words >= PIECE) pieces.push(piece)
  return pieces
}

function notesOf(drafted: Measures, yours: readonly Measures[], score: number): string[] {
  const notes = [`${score} of the way from anybody’s text to yours`]
  const length = mean(yours.map(each => each.sentenceLength))
  const longer = Math.round((drafted.sentenceLength / length - 1) * 100)
  if (Math.abs(longer) >= 15)
    notes.push(`Sentences are ${Math.abs(longer)} % ${longer > 0 ? 'longer' : 'shorter'} than yours`)
  for (const [trait, what] of COMPARED) {
    const [here, there] = [drafted.rates[trait], mean(yours.map(each => each.rates[trait]))]
    if (Math.abs(here - there) < 5 || (here < there * 2 && there < here * 2)) continue
    notes.push(`${what}: ${here.toFixed(0)} in a thousand words, in yours ${there.toFixed(0)}`)
  }
  return notes
}

/** A note of the words in a draft that models love and the user has never written, in no part of any text. */
async function strangeWords(draft: string, own: readonly string[]): Promise<string[]> {
  const used = new Set(wordsOf(draft))
  let strange = TELLTALE.filter(word => used.has(word))
  for (const text of own) {
    strange = strange.filter(word => !new RegExp(`\\b${word}\\b`, 'i').test(text))
    await setImmediate()
  }
  return strange.length === 0 ? [] : [`Never in your texts: ${strange.map(word => `“${word}”`).join(', ')}`]
}

const COMPARED = [
  ['firstPerson', 'I and we'],
  ['secondPerson', 'You'],
  ['contractions', 'Contractions'],
  ['questions', 'Questions'],
  ['exclamations', 'Exclamation marks'],
] as const
