/** A pattern that is not a regular expression of RE2, or one that JavaScript cannot express. */
export class InvalidPattern extends Error {
  override name = 'InvalidPattern'
}

/** A compiled pattern, and the names of its groups in order; the empty string for one without a name. */
export interface GoRegExp {
  readonly regexp: RegExp
  readonly groups: readonly string[]
}

/**
 * Compiles a regular expression as the Collector's configurations spell it: RE2 syntax, where `.` stops at newlines only,
 * `\s` is ASCII, groups are named `(?P<name>...)` and may be switched to `(?i)` in the middle. Group names may be any word.
 * Source: https://github.com/google/re2/wiki/Syntax
 * @throws {InvalidPattern}
 */
export function compileGoRegExp(pattern: string): GoRegExp {
  const translation = new Translation(pattern)
  const source = translation.run()
  try {
    return { regexp: new RegExp(source, 'u'), groups: translation.groups }
  } catch (error) {
    throw new InvalidPattern(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
}

/** One pass over a pattern that writes the same in JavaScript's syntax. Only unnamed groups are written. */
class Translation {
  readonly groups: string[] = []
  readonly #pattern: string
  #at = 0
  #flags: Flags = { i: false, m: false, s: false }
  /** For each open group: the flags around it, and how many parentheses close it. */
  readonly #open: { readonly flags: Flags; closing: number }[] = []

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  run(): string {
    let out = ''
    let tail = ''
    while (this.#at < this.#pattern.length) {
      const c = this.#next()
      if (c === '(') out += this.#group(closing => (tail += ')'.repeat(closing)))
      else if (c === ')') out += this.#close()
      else if (c === '[') out += this.#set()
      else if (c === '\\') out += this.#escape()
      else if (c === '.') out += this.#flags.s ? '[\\s\\S]' : '[^\\n]'
      else if (c === '^') out += this.#flags.m ? '(?<![^\\n])' : '^'
      else if (c === '$') out += this.#flags.m ? '(?![^\\n])' : '$'
      else if (c === '{') out += /^\d+(,\d*)?\}/.test(this.#rest) ? '{' : '\\{'
      else if (c === '}') out += /\{\d+(,\d*)?$/.test(out) ? '}' : '\\}'
      else out += c === ']' ? '\\]' : c
    }
    if (this.#open.length > 0) throw new InvalidPattern('missing closing )')
    return out + tail
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at)
  }

  /** The next character, a pair of surrogates as one. */
  #next(): string {
    const c = String.fromCodePoint(this.#pattern.codePointAt(this.#at)!)
    this.#at += c.length
    return c
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#rest)
    if (match !== null) this.#at += match[0].length
    return match
  }

  /** Flags without a group of their own (`(?i)`) hold to the end of the group around them. */
  #group(atEnd: (closing: number) => void): string {
    const named = this.#take(/^\?P?<(\w+)>/)
    if (named !== null || !this.#rest.startsWith('?')) {
      const name = named?.[1] ?? ''
      if (name !== '' && this.groups.includes(name)) throw new InvalidPattern(`duplicate group name ${name}`)
      this.groups.push(name)
      this.#open.push({ flags: this.#flags, closing: 1 })
      return '('
    }
    const flags = this.#take(/^\?([ims]*)(?:-([ims]+))?([:)])/)
    if (flags === null) throw new InvalidPattern(`invalid or unsupported group (${this.#rest.slice(0, 3)}`)
    const [, on = '', off = '', end] = flags
    const before = this.#flags
    const opened = this.#switch(on, off)
    if (end === ':') this.#open.push({ flags: before, closing: 1 })
    else if (this.#open.length > 0) this.#open.at(-1)!.closing++
    else atEnd(1)
    return opened
  }

  #switch(on: string, off: string): string {
    const flags = { ...this.#flags }
    for (const flag of on as Iterable<keyof Flags>) flags[flag] = true
    for (const flag of off as Iterable<keyof Flags>) flags[flag] = false
    const changed = flags.i !== this.#flags.i
    this.#flags = flags
    return !changed ? '(?:' : flags.i ? '(?i:' : '(?-i:'
  }

  #close(): string {
    const group = this.#open.pop()
    if (group === undefined) throw new InvalidPattern('unexpected )')
    this.#flags = group.flags
    return ')'.repeat(group.closing)
  }

  /** A set of characters in brackets. */
  #set(): string {
    let out = this.#take(/^\^/) ? '[^' : '['
    if (this.#take(/^\]/)) out += '\\]'
    while (true) {
      if (this.#at >= this.#pattern.length) throw new InvalidPattern('missing closing ]')
      const posix = this.#take(/^\[:(\^?)(\w+):\]/)
      if (posix !== null) {
        const members = POSIX[posix[2]!]
        if (members === undefined || posix[1] !== '') throw new InvalidPattern(`unsupported set ${posix[0]}`)
        out += members
        continue
      }
      const c = this.#next()
      if (c === ']') return `${out}]`
      out += c === '\\' ? this.#escape(true) : c
    }
  }

  #escape(inSet = false): string {
    if (this.#at >= this.#pattern.length) throw new InvalidPattern('trailing backslash')
    const quoted = inSet ? null : this.#take(/^Q([\s\S]*?)(?:\\E|$)/)
    if (quoted !== null) return quoted[1]!.replace(/[\\^$.*+?()[\]{}|/-]/g, literal)
    const code = this.#take(/^x(?:\{([\da-fA-F]+)\}|([\da-fA-F]{2}))/)
    if (code !== null) return `\\u{${code[1] ?? code[2]}}`
    const property = this.#take(/^([pP])(?:\{(\^?)(\w+)\}|(\w))/)
    if (property !== null) return propertyOf(property)
    const c = this.#next()
    if (c in ANYWHERE) return ANYWHERE[c]!
    const only = (inSet ? IN_SET : OUTSIDE)[c]
    if (only !== undefined) return only
    if (/[A-Za-z0-9]/.test(c)) throw new InvalidPattern(`invalid escape \\${c}`)
    return literal(c)
  }
}

/** JavaScript lets only characters with a meaning be escaped, a hyphen in sets only. */
function literal(c: string): string {
  if (c === '-') return '\\x2d'
  return /[\\^$.*+?()[\]{}|/]/.test(c) ? `\\${c}` : c
}

const ANYWHERE: Readonly<Record<string, string>> = {
  ...{ d: '\\d', D: '\\D', w: '\\w', W: '\\W', n: '\\n', r: '\\r', t: '\\t', f: '\\f', v: '\\v', a: '\\x07' },
}
const OUTSIDE: Readonly<Record<string, string>> = {
  ...{ s: '[\\t\\n\\f\\r ]', S: '[^\\t\\n\\f\\r ]', b: '\\b', B: '\\B', A: '(?<![\\s\\S])', z: '(?![\\s\\S])' },
}
const IN_SET: Readonly<Record<string, string>> = { s: '\\t\\n\\f\\r ', S: '\\S' }

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
}

/** Categories by one or two letters, scripts by their names. */
function propertyOf([, letter, not, long, short]: RegExpExecArray): string {
  const name = long ?? short!
  const negated = (letter === 'P') !== (not === '^')
  return `\\${negated ? 'P' : 'p'}{${name.length <= 2 ? name : `Script=${name}`}}`
}
