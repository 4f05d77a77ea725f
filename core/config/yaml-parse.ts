import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  Scalar,
  visit,
  type YAMLParseError,
} from 'yaml'
import { type ConfigNode, ListNode, MapNode, NullNode, ScalarNode, toPlain } from './node.ts'
import type { Origin } from './origin.ts'
import { explicitScalar, resolvePlain } from './scalar.ts'

/** Text that is not a YAML document, or one that is refused because reading it would cost too much. */
export class YamlError extends Error {
  override name = 'YamlError'
  readonly origin: Origin
  /** The text may be valid YAML but is too large, too deep or repeats itself too often. */
  readonly refused: boolean

  constructor(message: string, origin: Origin, refused = false) {
    super(message)
    this.origin = origin
    this.refused = refused
  }
}

/** Beyond any configuration; a megabyte of the worst text takes seconds to read. */
export const MAX_YAML_LENGTH = 1 << 20
const MAX_DEPTH = 250
const MAX_NODES = 100_000

/**
 * Reads the first document of a YAML text into nodes, with the scalar rules of go-yaml v3 ({@link resolvePlain}),
 * anchors, aliases and merge keys. An empty text is null. Keys are strings; the same key twice is an error.
 * @param file names the text in origins
 * @throws {YamlError} with a position; never quotes the text
 */
export function parseYamlNode(text: string, file: string): ConfigNode {
  const lines = new LineCounter()
  const origin = originsIn(file, lines)
  if (text.length > MAX_YAML_LENGTH) {
    throw new YamlError(`the document is larger than ${MAX_YAML_LENGTH} characters`, { file, line: 1, column: 1 }, true)
  }
  const document = compose(withoutMark(text), lines, origin)
  const fatal = document?.errors[0]
  if (fatal) throw new YamlError(withoutQuotes(fatal.message), origin(placeOf(fatal, document)))
  if (!document?.contents) return new NullNode({ file, line: 1, column: 1 })
  return new Reader(origin).read(document.contents, undefined)
}

/**
 * Reads a YAML text into plain values, with the rules of {@link parseYamlNode}.
 * @throws {YamlError}
 */
export function parseYaml(text: string): unknown {
  return toPlain(parseYamlNode(text, 'yaml:'))
}

/** A text as the YAML library reads it, faults and all, with where its lines begin. */
export interface Composed {
  /** Undefined when the text holds nothing, or reading it would cost too much. */
  readonly document: Document | undefined
  readonly lines: LineCounter
}

/** Reads as much of a text as there is sense in. Never throws. */
export function composeLoosely(text: string): Composed {
  const lines = new LineCounter()
  const nowhere = { file: '', line: 1, column: 1 }
  if (text.length > MAX_YAML_LENGTH) return { document: undefined, lines }
  try {
    return { document: compose(withoutMark(text), lines, () => nowhere), lines }
  } catch {
    return { document: undefined, lines }
  }
}

/** As {@link parseYamlNode}, of a text that may have faults: what is left without them. Undefined when that is nothing. */
export function parseYamlLoosely(text: string, file: string): ConfigNode | undefined {
  const { document, lines } = composeLoosely(text)
  if (!document?.contents) return undefined
  try {
    return new Reader(originsIn(file, lines)).read(document.contents, undefined)
  } catch {
    return undefined
  }
}

function originsIn(file: string, lines: LineCounter): (offset: number) => Origin {
  return offset => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
}

/** A byte order mark is no character of the first line. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

const COMPOSE = {
  schema: 'failsafe',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  keepSourceTokens: false,
  logLevel: 'silent',
} as const

/** Reads up to the end of the first document, and gives up as soon as the text nests too deep. */
function compose(text: string, lines: LineCounter, origin: (offset: number) => Origin): Document | undefined {
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer(COMPOSE)
  lines.addNewLine(0)
  let offset = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      for (const document of composer.next(token)) return document as Document
    }
    if (parser.stack.length > MAX_DEPTH) throw new YamlError('the document is nested too deep', origin(offset), true)
    offset += lexeme.length
  }
  for (const token of parser.end()) for (const document of composer.next(token)) return document as Document
  for (const document of composer.end(false, text.length)) return document as Document
  return undefined
}

interface Anchored {
  /** Undefined while its own content is being read. */
  node: ConfigNode | undefined
  weight: number
}

/** Turns the library's nodes into ours, counting what aliases would unfold to. */
class Reader {
  readonly #origin: (offset: number) => Origin
  readonly #anchors = new Map<string, Anchored>()
  #nodes = 0

  constructor(origin: (offset: number) => Origin) {
    this.#origin = origin
  }

  read(source: unknown, key: Origin | undefined): ConfigNode {
    if (isAlias(source)) return this.#alias(source.source, this.#at(source))
    const before = this.#nodes
    const anchor = isScalar(source) || isMap(source) || isSeq(source) ? source.anchor : undefined
    const anchored: Anchored = { node: undefined, weight: 0 }
    if (anchor) this.#anchors.set(anchor, anchored)
    this.#count(1, source)
    const node = this.#content(source, key)
    anchored.node = node
    anchored.weight = this.#nodes - before
    return node
  }

  #content(source: unknown, key: Origin | undefined): ConfigNode {
    if (isMap(source)) return this.#map(source.items, key ?? this.#at(source))
    if (isSeq(source)) {
      return new ListNode(
        source.items.map(item => this.read(item, undefined)),
        key ?? this.#at(source),
      )
    }
    if (!isScalar(source)) return new NullNode(key)
    const at = this.#at(source)
    const value = this.#scalar(source, at)
    return value === null ? new NullNode(key ?? at) : new ScalarNode(value, at)
  }

  #scalar(source: Scalar, at: Origin): ReturnType<typeof resolvePlain> {
    const text = String(source.value ?? '')
    if (source.tag) {
      const value = explicitScalar(source.tag, text)
      if (value === undefined) throw new YamlError(`the value does not fit its tag ${source.tag}`, at)
      return value
    }
    return source.type === Scalar.PLAIN || source.type === undefined ? resolvePlain(text) : text
  }

  #map(items: readonly unknown[], at: Origin): MapNode {
    const map = new Map<string, { node: ConfigNode; keyOrigin: Origin | undefined }>()
    const merged: (readonly [ConfigNode, Origin])[] = []
    for (const pair of items) {
      if (!isPair(pair)) continue
      const keyOrigin = this.#at(pair.key)
      if (isMergeKey(pair.key)) {
        const value = this.read(pair.value, keyOrigin)
        const sources = value.kind === 'list' ? value.items : [value]
        merged.push(...sources.map(source => [source, keyOrigin] as const))
        continue
      }
      const key = this.#key(pair.key, keyOrigin)
      const earlier = map.get(key)
      if (earlier) {
        throw new YamlError(`mapping key "${key}" already defined at line ${earlier.keyOrigin?.line}`, keyOrigin)
      }
      map.set(key, { node: this.read(pair.value, keyOrigin), keyOrigin })
    }
    for (const [source, origin] of merged) {
      if (source.kind !== 'map') throw new YamlError('map merge requires map or sequence of maps as the value', origin)
      for (const [key, entry] of source.map) {
        if (!map.has(key)) map.set(key, { node: entry.node, keyOrigin: entry.keyOrigin })
      }
    }
    return new MapNode(map, at)
  }

  #key(source: unknown, at: Origin): string {
    const node = this.read(source, undefined)
    if (node.kind === 'null') return isScalar(source) && source.source ? source.source : ''
    if (node.kind !== 'scalar') throw new YamlError('a key must be a single value', at)
    return isScalar(source) && typeof source.value === 'string' ? source.value : String(node.value)
  }

  #alias(name: string, at: Origin): ConfigNode {
    const anchored = this.#anchors.get(name)
    if (!anchored) throw new YamlError('unknown anchor referenced', at)
    if (!anchored.node) throw new YamlError(`anchor '${name}' value contains itself`, at)
    this.#nodes += anchored.weight
    if (this.#nodes > MAX_NODES) throw new YamlError('the document contains excessive aliasing', at, true)
    return anchored.node
  }

  #count(nodes: number, source: unknown): void {
    this.#nodes += nodes
    if (this.#nodes > MAX_NODES) throw new YamlError('the document has too many values', this.#at(source), true)
  }

  #at(source: unknown): Origin {
    const range = (source as { range?: readonly number[] } | null | undefined)?.range
    return this.#origin(range?.[0] ?? 0)
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<' && !key.tag
}

/** Where a fault is to be seen: a quote that is not closed where it begins, not where the text ends. */
function placeOf({ code, pos: [at] }: YAMLParseError, document: Document): number {
  let place = at
  if (code !== 'MISSING_CHAR') return place
  visit(document, {
    Scalar(_, { type, range }) {
      const isQuoted = type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE
      if (isQuoted && range && range[1] === at) place = range[0]
    },
  })
  return place
}

/** The library's messages quote the offending text after a colon: what it quotes may be a secret. */
function withoutQuotes(message: string): string {
  const sentence = message
    .replace(/"quote$/, 'quote')
    .replace(/'quote$/, 'quote')
    .replace(/[:\s]+["'`].*$/s, '')
    .replace(/\s+at line \d+.*$/s, '')
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
