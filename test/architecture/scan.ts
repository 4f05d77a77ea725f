/** One import of a source file. */
export interface Import {
  /** As written, for example `#core/data`, `./queue.ts`, `node:net`. */
  readonly specifier: string
  /** The names taken, `default` and `*` included; empty for `import './x.ts'` and `import()`. */
  readonly names: readonly { readonly name: string; readonly type: boolean }[]
  /** Erased when the program runs. */
  readonly typeOnly: boolean
  /** `export ... from`: what comes in goes out again. */
  readonly again: boolean
}

/**
 * What is code in a TypeScript source: comments, and the contents of strings, templates and regular expressions, are
 * replaced by spaces, so that offsets and lines stay as they are. Code inside `${}` of a template stays.
 */
export function blank(source: string): string {
  const out = [...source.split('')]
  const hide = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (out[i] !== '\n') out[i] = ' '
  }
  /** Depth of braces at which each open `${` ends. */
  const templates: number[] = []
  let depth = 0
  let at = 0
  const template = (from: number) => {
    let end = from
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end))
      end += source[end] === '\\' ? 2 : 1
    hide(from, end)
    if (source[end] === '`') return end + 1
    templates.push(depth++)
    return end + 2
  }
  while (at < source.length) {
    const c = source[at]!
    if (source.startsWith('//', at) || (at === 0 && source.startsWith('#!'))) {
      const end = indexOr(source, '\n', at)
      hide(at, end)
      at = end
    } else if (source.startsWith('/*', at)) {
      const end = indexOr(source, '*/', at + 2) + 2
      hide(at, end)
      at = end
    } else if (c === "'" || c === '"') {
      let end = at + 1
      while (end < source.length && source[end] !== c) end += source[end] === '\\' ? 2 : 1
      hide(at + 1, end)
      at = end + 1
    } else if (c === '`') {
      at = template(at + 1)
    } else if (c === '/' && startsExpression(out, at)) {
      const end = regexpEnd(source, at)
      hide(at + 1, end - 1)
      at = end
    } else if (c === '{') {
      depth++
      at++
    } else if (c === '}') {
      depth--
      at++
      if (templates.at(-1) === depth) {
        templates.pop()
        at = template(at)
      }
    } else at++
  }
  return out.join('')
}

/** Every static and dynamic import and every `export ... from`. */
export function importsOf(source: string, code = blank(source)): Import[] {
  const found: Import[] = []
  const statement = /\b(import|export)\b(?!\s*[.:?=])([^'"`;()]*?)(?:\bfrom\s*)?(['"])/g
  for (let match = statement.exec(code); match !== null; match = statement.exec(code)) {
    const [whole, word, clause, quote] = match as unknown as [string, string, string, string]
    const again = word === 'export'
    if (again ? !/^\s*(type\s+)?(\*|\{)/.test(clause) || !whole.includes('from') : !isClause(clause)) continue
    const from = match.index + whole.length
    const specifier = source.slice(from, source.indexOf(quote, from))
    const typeOnly = /^\s*type\s+[^,\s]/.test(clause) && !/^\s*type\s+from\b/.test(clause)
    const names = namesOf(clause.replace(/^\s*type\s+/, ' '), typeOnly)
    found.push({ specifier, names, again, typeOnly: typeOnly || (names.length > 0 && names.every(name => name.type)) })
  }
  for (const match of code.matchAll(/\bimport\s*\(\s*(['"])/g)) {
    const from = match.index + match[0].length
    const specifier = source.slice(from, source.indexOf(match[1]!, from))
    found.push({ specifier, names: [], typeOnly: false, again: false })
  }
  return found
}

function isClause(clause: string): boolean {
  return /^\s*(type\s+)?([\w$]+|\*\s*as\s+[\w$]+|\{[^}]*\})?(\s*,\s*(\*\s*as\s+[\w$]+|\{[^}]*\}))?\s*(from)?\s*$/.test(
    clause,
  )
}

function namesOf(clause: string, typeOnly: boolean): Import['names'] {
  const braces = /\{([^}]*)\}/.exec(clause)
  const named = (braces?.[1] ?? '')
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
    .map(each => ({ name: each.replace(/^type\s+/, '').split(/\s+as\s+/)[0]!, type: typeOnly || /^type\s/.test(each) }))
  const rest = clause.replace(/\{[^}]*\}/, '').replace(/\bfrom\b/, '')
  if (rest.includes('*')) named.push({ name: '*', type: typeOnly })
  else if (/[\w$]/.test(rest)) named.push({ name: 'default', type: typeOnly })
  return named
}

/** Whether a `/` here begins a regular expression: an operand cannot stand where one has just ended. */
function startsExpression(out: readonly string[], at: number): boolean {
  let before = at - 1
  while (before >= 0 && /\s/.test(out[before]!)) before--
  if (before < 0) return true
  if (/[\w$]/.test(out[before]!)) {
    const word = /[\w$]+$/.exec(out.slice(Math.max(0, before - 12), before + 1).join(''))![0]
    return ['return', 'typeof', 'case', 'in', 'of', 'yield', 'await', 'void'].includes(word)
  }
  return !/[)\]}'"`]/.test(out[before]!)
}

function regexpEnd(source: string, at: number): number {
  let inClass = false
  let end = at + 1
  while (end < source.length && source[end] !== '\n') {
    const c = source[end]!
    if (c === '\\') end++
    else if (c === '[') inClass = true
    else if (c === ']') inClass = false
    else if (c === '/' && !inClass) return end + 1
    end++
  }
  return at + 1
}

function indexOr(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from)
  return at < 0 ? source.length : at
}
