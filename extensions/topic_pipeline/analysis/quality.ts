import { type EngagementSample, engagementPart } from './engagement.ts'
import type { Subject } from './subject.ts'

/** Parts of the quality score, each 0 to 1; what a source does not tell is absent. */
export interface QualityParts {
  readonly structure?: number
  readonly substance: number
  readonly engagement?: number
  readonly trust: number
}

export interface QualityScore {
  /** 0 to 1. */
  readonly score: number
  readonly parts: QualityParts
  /** Sentences for people. */
  readonly notes: readonly string[]
}

type Weights = Readonly<Record<keyof QualityParts, number>>

const ARTICLE: Weights = { structure: 0.3, substance: 0.4, engagement: 0.15, trust: 0.15 }
/** A question or a post has no headings, but people who judged it; a video has a description. */
const WEIGHTS: Readonly<Record<string, Weights>> = {
  stackoverflow: { structure: 0.1, substance: 0.35, engagement: 0.3, trust: 0.25 },
  reddit: { structure: 0.1, substance: 0.4, engagement: 0.3, trust: 0.2 },
  youtube: { structure: 0, substance: 0.3, engagement: 0.45, trust: 0.25 },
}

/** How good a topic is, from what can be counted. Parts that are missing are left out, and the others weigh more. */
export function qualityScore(subject: Subject, sample: EngagementSample, now: number): QualityScore {
  const { topic } = subject
  const weights = WEIGHTS[topic.sourceType] ?? ARTICLE
  const engagement = engagementPart(topic, sample, now)
  const { trust, notes } = trustOf(subject)
  const parts: QualityParts = {
    // Of a teaser or a description nothing can be said about structure.
    ...(weights.structure > 0 && topic.extractionStatus !== 'PARTIAL' && { structure: structureOf(subject) }),
    substance: substanceOf(subject, topic.extractionStatus === 'PARTIAL'),
    ...(engagement !== undefined && { engagement }),
    trust,
  }
  return { score: weightedMean(parts, weights), parts, notes }
}

/** The mean of the parts that there are, by their weights. */
export function weightedMean<P extends string>(
  parts: Readonly<Partial<Record<P, number>>>,
  weights: Readonly<Record<P, number>>,
): number {
  let [sum, total] = [0, 0]
  for (const [name, value] of Object.entries(parts) as [P, number | undefined][]) {
    if (value === undefined) continue
    sum += weights[name] * value
    total += weights[name]
  }
  return total === 0 ? 0 : clamp(sum / total)
}

/** Paragraphs, one for a hundred words up to five, headings, code, lists, and sentences that can be read. */
function structureOf({ body, plain, words }: Subject): number {
  const paragraphs = plain.split(/\n\s*\n/).filter(paragraph => paragraph.trim() !== '').length
  const sentences = Math.max(1, plain.split(/[.!?。！？]+(?:\s|$)/).length - 1)
  const perSentence = words.length / sentences
  const readable = perSentence >= 8 && perSentence <= 30 ? 1 : perSentence >= 4 && perSentence <= 45 ? 0.5 : 0
  return clamp(
    0.3 * ramp(paragraphs, 0, Math.min(5, words.length / 100)) +
      0.2 * Number(/^#{1,6}\s/m.test(body)) +
      0.2 * Number(/^(?:```|~~~| {4}\S)/m.test(body) || /`[^`\n]+`/.test(body)) +
      0.1 * Number(/^[ \t]*(?:[-*+]|\d{1,3}[.)])\s/m.test(body)) +
      0.2 * readable,
  )
}

/** Length, on a logarithmic scale, variety of words, and what can be checked: numbers, code, links. */
function substanceOf({ body, words }: Subject, partial: boolean): number {
  if (words.length === 0) return 0
  // Half the scale for 150 words, all of it from 1500; a description stands for something longer.
  const length = ramp(Math.log(words.length * (partial ? 3 : 1)), Math.log(15), Math.log(1500))
  const sample = words.slice(0, 300)
  const variety = ramp(new Set(sample).size / sample.length, 0.2, 0.5)
  const facts =
    (body.match(/\]\(https?:|https?:\/\/|\d+(?:\.\d+)+|\b\d{2,}\b|`[^`\n]+`/g)?.length ?? 0) *
    (1000 / Math.max(200, words.length))
  return 0.55 * length + 0.25 * variety + 0.2 * ramp(facts, 0, 15)
}

const CLICKBAIT =
  /\b(?:you won'?t believe|this one trick|shocking|mind[- ]?blow(?:n|ing)|will (?:blow|change) your (?:mind|life)|(?:doctors|experts) hate|secrets? (?:they|nobody)|number \d+ will)\b|!{2,}|\?{3,}/i
const AFFILIATE = /[?&](?:tag=[\w-]+-2\d|aff(?:iliate)?(?:_?id)?=)|amzn\.to\/|clickbank|affiliate link/i

/** Who wrote it and who vouched for it, less what gives advertising away. */
function trustOf({ topic, body, words }: Subject): { readonly trust: number; readonly notes: string[] } {
  const notes: string[] = []
  let trust = 0.6
  const count = (change: number, note: string) => {
    trust += change
    notes.push(note)
  }
  if (topic.engagement?.accepted === true) count(0.3, 'The question has an accepted answer')
  if (topic.author !== undefined) trust += 0.15
  if (CLICKBAIT.test(topic.title)) count(-0.4, 'The title is clickbait')
  if (isShouted(topic.title)) count(-0.2, 'The title is written in capitals')
  if (AFFILIATE.test(body)) count(-0.3, 'The text has affiliate links')
  const links = body.match(/https?:\/\//g)?.length ?? 0
  if (links > 5 && links > words.length / 15) count(-0.3, 'The text is mostly links')
  return { trust: clamp(trust), notes }
}

function isShouted(title: string): boolean {
  const letters = title.replace(/[^\p{L}]/gu, '')
  const capitals = title.replace(/[^\p{Lu}]/gu, '')
  return letters.length >= 15 && capitals.length > letters.length * 0.7
}

/** 0 at `from` or below, 1 at `to` or above. */
export function ramp(value: number, from: number, to: number): number {
  return clamp((value - from) / (to - from))
}

/** Within 0 and 1; what is no number is 0. */
export function clamp(value: number): number {
  return value > 0 ? Math.min(1, value) : 0
}
