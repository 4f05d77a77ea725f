import { CITATION } from '../language_model/citations.ts'
import { plainText } from '../language_model/sentences.ts'
import type { DraftCheck } from '../model/writing.ts'
import { wordsOf } from '../style/measure.ts'
import type { NumberedSource } from './sources.ts'

/** Words in a row that may be a source's own without being marked as a quotation: fewer than this. */
const LONGEST_COPY = 12
/** Findings that a check names. */
const NAMED = 5
/** Numbers and versions that say something: of two digits or more, with a point, or with a per cent sign. */
const NUMBER = /(?<![\p{L}\p{N}.#])(?:v?\d+(?:[.,]\d+)+|\d{2,})(?:\s?%)?/gu

const QUOTATION = /[“"]([^“”"\n]{20,500})[”"]/g

/** Whether a draft stands on its sources, by comparing texts; no model is asked. */
export function checkGrounding(text: string, sources: readonly NumberedSource[]): DraftCheck[] {
  const prose = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, '')
  return [citations(prose, sources), numbers(prose, sources), quotations(prose, sources), copies(prose, sources)]
}

/** The markers that a text cites, each once, in order of appearance. */
export function citedMarkers(text: string): string[] {
  const cited = [...text.matchAll(CITATION)].flatMap(([, list]) => list!.split(',').map(each => each.trim()))
  return [...new Set(cited)]
}

function citations(text: string, sources: readonly NumberedSource[]): DraftCheck {
  const known = new Set(sources.map(({ source }) => source.marker))
  const cited = citedMarkers(text)
  const unknown = cited.filter(marker => !known.has(marker))
  if (unknown.length > 0) return { name: 'citations', ok: false, detail: `Cited but not given: ${unknown.join(', ')}` }
  return {
    name: 'citations',
    ok: cited.length > 0,
    detail: cited.length > 0 ? `Cited: ${cited.join(', ')}` : 'No source is cited',
  }
}

function numbers(text: string, sources: readonly NumberedSource[]): DraftCheck {
  const given = new Set(
    sources.flatMap(({ source, text }) => (`${source.title}\n${text}`.match(NUMBER) ?? []).map(plain)),
  )
  const used = new Set(
    (
      text
        .replace(CITATION, '')
        .replace(/https?:\S+/g, '')
        .match(NUMBER) ?? []
    ).map(plain),
  )
  return found(
    'numbers',
    'No source has',
    [...used].filter(each => !given.has(each)),
  )
}

function plain(number: string): string {
  return number.replace(/^v/, '').replaceAll(/[\s%]/g, '')
}

function quotations(text: string, sources: readonly NumberedSource[]): DraftCheck {
  // Quoted as somebody would read it aloud, or with its marks.
  const given = sources.map(({ text }) => `${flat(text)}\n${flat(plainText(text))}`).join('\n')
  const quoted = [...text.matchAll(QUOTATION)].map(([, words]) => words!)
  return found(
    'quotations',
    'In no source',
    quoted.filter(words => !given.includes(flat(words).replace(/[.,!?]$/, ''))),
  )
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’‘“”"]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function copies(text: string, sources: readonly NumberedSource[]): DraftCheck {
  const runs = new Set<string>()
  for (const source of sources) {
    const words = wordsOf(source.text)
    for (let i = 0; i + LONGEST_COPY <= words.length; i++) runs.add(words.slice(i, i + LONGEST_COPY).join(' '))
  }
  const words = wordsOf(text.replace(QUOTATION, ' ').replace(/^>.*$/gm, ' '))
  const copied: string[] = []
  for (let i = 0; i + LONGEST_COPY <= words.length; i++) {
    const run = words.slice(i, i + LONGEST_COPY).join(' ')
    if (!runs.has(run)) continue
    copied.push(`“${run} …”`)
    i += LONGEST_COPY
  }
  return found('copying', `${LONGEST_COPY} words in a row as in a source`, copied)
}

function found(name: string, what: string, findings: readonly string[]): DraftCheck {
  if (findings.length === 0) return { name, ok: true, detail: 'Nothing found' }
  const more = findings.length > NAMED ? ` and ${findings.length - NAMED} more` : ''
  return { name, ok: false, detail: `${what}: ${findings.slice(0, NAMED).join(', ')}${more}` }
}
