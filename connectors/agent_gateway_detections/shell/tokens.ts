/** A word, with the scripts of its substitutions; or an operator. Positions are those in the script. */
export type Token =
  | {
      readonly kind: 'word'
      readonly text: string
      readonly scripts: readonly string[]
      readonly at: number
      end: number
    }
  | { readonly kind: 'operator'; readonly text: string; readonly at: number; readonly end: number }
  | { readonly kind: 'heredoc'; readonly text: string; readonly at: number; readonly end: number }

const OPERATORS = [
  '&>>',
  '<<<',
  '<<-',
  '&&',
  '||',
  '|&',
  ';;',
  '>>',
  '>|',
  '>&',
  '<&',
  '&>',
  '<<',
  ';',
  '|',
  '&',
  '(',
  ')',
  '<',
  '>',
  '\n',
]

/** Splits a POSIX shell script into words and operators, as far as quotes and substitutions demand. Never throws. */
export function tokenize(script: string): Token[] {
  const tokens: Token[] = []
  /** Delimiters of here-documents whose text begins on the next line. */
  const awaited: string[] = []
  let at = 0
  while (at < script.length) {
    const c = script[at]!
    const blank = blankAt(script, at)
    if (blank > 0) at += blank
    else if (script.startsWith('\\\n', at)) at += 2
    else if (c === '#') at = lineEnd(script, at)
    else {
      const operator = operatorAt(script, at)
      if (operator === undefined) {
        const word = readWord(script, at)
        const before = tokens.at(-1)
        if (before?.kind === 'operator' && (before.text === '<<' || before.text === '<<-')) awaited.push(word.text)
        tokens.push(word)
        at = word.end
      } else {
        tokens.push({ kind: 'operator', text: operator, at, end: at + operator.length })
        at += operator.length
        if (operator === '\n') at = readHeredocs(script, at, awaited, tokens)
      }
    }
  }
  return tokens
}

function operatorAt(script: string, at: number): string | undefined {
  // `<(...)` and `>(...)` are words.
  if ((script[at] === '<' || script[at] === '>') && script[at + 1] === '(') return undefined
  return OPERATORS.find(operator => script.startsWith(operator, at))
}

/** How long the blank is that begins here, 0 when there is none: `$IFS`, which nobody sets, is one. */
function blankAt(script: string, at: number): number {
  const c = script[at]
  if (c === ' ' || c === '\t' || c === '\r') return 1
  if (c !== '$') return 0
  if (script.startsWith(`$\{IFS}`, at)) return 6
  return script.startsWith('$IFS', at) && !/\w/.test(script[at + 4] ?? '') ? 4 : 0
}

function lineEnd(script: string, at: number): number {
  const end = script.indexOf('\n', at)
  return end < 0 ? script.length : end
}

function readHeredocs(script: string, start: number, awaited: string[], tokens: Token[]): number {
  let at = start
  for (const delimiter of awaited.splice(0)) {
    const from = at
    while (at < script.length) {
      const end = lineEnd(script, at)
      const line = script.slice(at, end)
      at = end + 1
      if (line.trimStart() === delimiter) {
        tokens.push({ kind: 'heredoc', text: script.slice(from, end - line.length), at: from, end })
        break
      }
    }
  }
  return Math.min(at, script.length)
}

function readWord(script: string, start: number): Extract<Token, { kind: 'word' }> {
  const scripts: string[] = []
  let text = ''
  let at = start
  while (at < script.length) {
    const c = script[at]!
    if (c === '\\') {
      if (script[at + 1] !== '\n') text += script[at + 1] ?? ''
      at += 2
    } else if (script.startsWith("$'", at)) {
      const quoted = readEscaped(script, at + 2)
      text += quoted.text
      at = quoted.end
    } else if (c === "'") {
      const end = closing(script, at, "'")
      text += script.slice(at + 1, end)
      at = end + 1
    } else if (c === '"') {
      const quoted = readQuoted(script, at, scripts)
      text += quoted.text
      at = quoted.end
    } else if (substitutionAt(script, at)) {
      const end = substitutionEnd(script, at)
      scripts.push(script.slice(script[at] === '`' ? at + 1 : at + 2, end))
      text += '$()'
      at = end + 1
    } else if (blankAt(script, at) > 0 || operatorAt(script, at) !== undefined) break
    else {
      text += c
      at++
    }
  }
  return { kind: 'word', text, scripts, at: start, end: at }
}

/** What stands in `$'...'`, from behind the opening quote. */
function readEscaped(script: string, start: number): { readonly text: string; readonly end: number } {
  let at = start
  while (at < script.length && script[at] !== "'") at += script[at] === '\\' ? 2 : 1
  const text = script.slice(start, at).replace(ESCAPE, (_, octal, x, u, plain) => {
    const hex = x ?? u
    if (plain !== undefined) return PLAIN_ESCAPES[plain] ?? plain
    const code = octal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8)
    return code > 0x10ffff ? '' : String.fromCodePoint(code)
  })
  return { text, end: at + 1 }
}

const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-f]{1,2})|u([\da-f]{1,8})|([\s\S]))/gi
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function readQuoted(script: string, start: number, scripts: string[]): { readonly text: string; readonly end: number } {
  let text = ''
  let at = start + 1
  while (at < script.length && script[at] !== '"') {
    const c = script[at]!
    if (c === '\\' && /["\\$`\n]/.test(script[at + 1] ?? '')) {
      text += script[at + 1]
      at += 2
    } else if (c !== '<' && c !== '>' && substitutionAt(script, at)) {
      const end = substitutionEnd(script, at)
      scripts.push(script.slice(c === '`' ? at + 1 : at + 2, end))
      text += '$()'
      at = end + 1
    } else {
      text += c
      at++
    }
  }
  return { text, end: at + 1 }
}

function substitutionAt(script: string, at: number): boolean {
  const c = script[at]
  return c === '`' || ((c === '$' || c === '<' || c === '>') && script[at + 1] === '(' && script[at + 2] !== '(')
}

/** Where the substitution that begins at `start` is closed. */
function substitutionEnd(script: string, start: number): number {
  if (script[start] === '`') return closing(script, start, '`')
  let depth = 0
  for (let at = start + 1; at < script.length; at++) {
    const c = script[at]
    if (c === '\\') at++
    else if (c === "'") at = closing(script, at, "'")
    else if (c === '(') depth++
    else if (c === ')' && --depth === 0) return at
  }
  return script.length
}

function closing(script: string, start: number, quote: string): number {
  const end = script.indexOf(quote, start + 1)
  return end < 0 ? script.length : end
}
