import { type Alias, type Scalar, visit } from 'yaml'
import type { Excerpt } from './excerpt.ts'
import { REDACTED, redactUrls } from './redacted.ts'
import { composeLoosely, withoutMark, type YamlError } from './yaml-parse.ts'

/**
 * Whether the single value that begins at a line and column, from 1, may be shown. Undefined when nothing is known of
 * it: then it is shown only if it can hardly be a secret.
 */
export type Secrecy = (line: number, column: number) => 'secret' | 'shown' | undefined

/** A key or single value. Offsets count from the start of the text. */
interface Word {
  readonly start: number
  readonly end: number
  readonly isKey: boolean
}

/** A piece of a line and what is shown for it. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly shown: string
  readonly hidden?: boolean
}

/** The text of a source of configuration, to quote lines from without giving secrets away. */
export class SourceText {
  /** As it was read. */
  readonly text: string
  readonly #text: string
  /** Where each line begins. */
  readonly #starts: readonly number[]
  #read: { readonly words: ReadonlyMap<number, readonly Word[]>; readonly intact: boolean } | undefined

  constructor(text: string) {
    this.text = text
    this.#text = withoutMark(text)
    this.#starts = [0, ...[...this.#text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  }

  /**
   * What to show of the line of a fault. Keys and punctuation are shown, values as `secrecy` says, comments and all
   * that cannot be told apart are not. Undefined when the text has no such place.
   */
  excerptAt(line: number, column: number, secrecy: Secrecy): Excerpt | undefined {
    const start = this.#starts[line - 1]
    if (start === undefined) return undefined
    const at = start + column - 1
    if (at > this.#text.length) return undefined
    const word = this.#wordsOf(line).find(one => one.start === at)
    const end = Math.max(at + 1, Math.min(word?.end ?? 0, this.#endOf(line)))
    const pieces = this.#piecesOf(line, secrecy)
    const text = pieces.map(piece => piece.shown).join('')
    if (text.trim() === '') return undefined
    const from = Math.min(indexIn(pieces, at, 'start'), text.length)
    const to = Math.max(from + 1, indexIn(pieces, end, 'end'))
    return { line, text, from, to, endColumn: end - start + 1 }
  }

  /** The line at which a second document begins, which nobody reads. */
  get furtherDocument(): number | undefined {
    if (!/\n---\s/.test(this.#text)) return undefined
    const { document } = composeLoosely(this.text)
    const rest = document?.range?.[2] ?? this.#text.length
    const next = /^---(?=\s|$)/m.exec(this.#text.slice(rest))
    const isEmpty =
      next === null ||
      this.#text
        .slice(rest + next.index + 3)
        .replace(/^\s*#.*$/gm, '')
        .trim() === ''
    return isEmpty ? undefined : this.#text.slice(0, rest + next.index).split('\n').length
  }

  #piecesOf(line: number, secrecy: Secrecy): Piece[] {
    const [begin, end] = [this.#starts[line - 1]!, this.#endOf(line)]
    const pieces: Piece[] = []
    let at = begin
    for (const word of this.#wordsOf(line)) {
      const [from, to] = [Math.max(word.start, begin), Math.min(word.end, end)]
      if (from < at || to <= from) continue
      if (!this.#gap(at, from, pieces)) return merged(pieces)
      const shown = this.#shown(word, from, to, line, secrecy)
      pieces.push({ start: from, end: to, shown: shown ?? REDACTED, hidden: shown === undefined })
      at = to
    }
    this.#gap(at, end, pieces)
    return merged(pieces)
  }

  /** What stands between words: blanks and punctuation. Returns false when a comment begins, which ends the line. */
  #gap(from: number, to: number, pieces: Piece[]): boolean {
    for (const match of this.#text.slice(from, to).matchAll(GAP)) {
      const [shown] = match
      const start = from + match.index
      const isComment = shown === '#' && (start === from || /\s/.test(this.#text[start - 1]!) || start === 0)
      if (isComment) return false
      const hidden = !PUNCTUATION.test(shown)
      pieces.push({ start, end: start + shown.length, shown: hidden ? REDACTED : shown, hidden })
    }
    return true
  }

  #shown(word: Word, from: number, to: number, line: number, secrecy: Secrecy): string | undefined {
    const text = this.#text.slice(from, to)
    if (from !== word.start) return undefined
    const known = secrecy(line, from - this.#starts[line - 1]! + 1)
    if (word.isKey) return known !== 'secret' && this.#isKey(word, text) ? printable(text) : undefined
    if (REFERENCE.test(text) || BLOCK.test(text)) return text
    if (known === 'shown') return printable(redactUrls(text))
    return known === undefined && HARMLESS.test(text) ? text : undefined
  }

  /**
   * In a text with faults, a piece of a value may look like a key, even where no colon follows, and a value that begins
   * with an asterisk like an alias.
   */
  #isKey({ start, end }: Word, text: string): boolean {
    if (text.startsWith('*')) return this.#text.includes(`&${text.slice(1)}`)
    if (end - start !== text.length || !/^\s*:/.test(this.#text.slice(end, end + 100))) return false
    if (this.#intact) return true
    const before = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start).trimEnd()
    return /(?:^|[-?{,[])$/.test(before) && KEY.test(text)
  }

  get #intact(): boolean {
    this.#read ??= read(this.#text)
    return this.#read.intact
  }

  #wordsOf(line: number): readonly Word[] {
    this.#read ??= read(this.#text)
    return this.#read.words.get(line) ?? []
  }

  /** Where the line ends, without its line break. */
  #endOf(line: number): number {
    const next = this.#starts[line]
    if (next === undefined) return this.#text.length
    return this.#text[next - 2] === '\r' ? next - 2 : next - 1
  }
}

/** Texts of sources by the name that origins give them. A name that stands for several texts has none. */
export class SourceTexts {
  readonly #texts = new Map<string, SourceText | undefined>()
  readonly #notYaml = new Map<string, YamlError>()
  readonly #configurations: { readonly file: string; readonly text: string }[] = []

  /**
   * @param isConfiguration whether it is one of those that are merged, not one that a reference brought
   * @param notYaml why it was taken for a mere string
   */
  add(file: string, text: string, isConfiguration: boolean, notYaml?: YamlError): void {
    if (notYaml !== undefined) this.#notYaml.set(file, notYaml)
    const known = this.#texts.get(file)
    if (known?.text !== text) this.#texts.set(file, this.#texts.has(file) ? undefined : new SourceText(text))
    const again = this.#configurations.some(one => one.file === file && one.text === text)
    if (isConfiguration && !again) this.#configurations.push({ file, text })
  }

  get(file: string): SourceText | undefined {
    return this.#texts.get(file)
  }

  /** Why a source was taken for a mere string. */
  notYaml(file: string): YamlError | undefined {
    return this.#notYaml.get(file)
  }

  get configurations(): readonly { readonly file: string; readonly text: string }[] {
    return this.#configurations
  }
}

function read(text: string): { words: ReadonlyMap<number, readonly Word[]>; intact: boolean } {
  const { document, lines } = composeLoosely(text)
  const words = new Map<number, Word[]>()
  const add = (line: number, word: Word) => {
    const known = words.get(line)
    if (known === undefined) words.set(line, [word])
    else known.push(word)
  }
  if (document !== undefined) {
    const take = ({ range }: Scalar | Alias, isKey: boolean) => {
      const [start = 0, end = 0] = range ?? []
      if (end <= start) return
      const last = lines.linePos(end - 1).line
      for (let { line } = lines.linePos(start); line <= last; line++) add(line, { start, end, isKey })
    }
    visit(document, {
      Scalar: (key, node) => take(node, key === 'key'),
      Alias: (_, node) => take(node, true),
    })
  }
  for (const some of words.values()) some.sort((a, b) => a.start - b.start)
  return { words, intact: document !== undefined && document.errors.length === 0 }
}

/** Puts what is hidden, with the blanks between, into one piece. */
function merged(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    const blank = last?.shown.trim() === '' ? result.at(-2) : undefined
    if (piece.hidden === true && last?.hidden === true) {
      result.splice(-1, 1, { ...last, end: piece.end })
    } else if (piece.hidden === true && blank?.hidden === true) {
      result.splice(-2, 2, { ...blank, end: piece.end })
    } else {
      result.push(piece)
    }
  }
  while (result.at(-1)?.shown.trim() === '') result.pop()
  return result
}

/** Where a place of the source is in the shown text: of what is hidden, the start or the end. */
function indexIn(pieces: readonly Piece[], offset: number, side: 'start' | 'end'): number {
  let index = 0
  for (const { start, end, shown } of pieces) {
    const inside = side === 'start' ? offset >= start && offset < end : offset > start && offset <= end
    if (inside) {
      if (shown.length === end - start) return index + offset - start
      return side === 'start' ? index : index + shown.length
    }
    index += shown.length
  }
  return index
}

/** Characters that would steer a terminal. */
function printable(text: string): string {
  return text.replace(CONTROL, '\ufffd')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
/** A comment sign, a run of blanks, punctuation, an anchor, alias or tag, or anything else. */
const GAP = /#|\s+|[&*!][\w./:-]*|[-{}[\],:?|>"'%]+|[^\s#&*!{}[\],:?|>"'%-]+/g
const PUNCTUATION = /^(?:\s+|[&*!][\w./:-]*|[-{}[\],:?|>"'%]+)$/
const KEY = /^["'*]?[\w./@-]{1,64}["']?$/
/** A value that only says where the value is. */
const REFERENCE = /^["']?\$\{[A-Za-z][\w+.-]*(?::(?!\/\/)[\w./\\-]*)?\}["']?$/
/** The first line of a block: what it holds comes below. */
const BLOCK = /^[|>][-+\d]*\s*$/
/** Switches, small numbers, spans of time and sizes. */
const HARMLESS = /^(?:true|false|null|~|[-+]?\d{1,9}(?:\.\d{1,6})?(?:[num]?s|µs|m|h|[KMGT]i?B)?)$/i
