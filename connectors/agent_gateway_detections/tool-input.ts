import type { Value } from '#core/data'

/** What a tool was called with, as far as rules are about it. */
export interface ToolInput {
  readonly scripts: string[]
  readonly paths: string[]
  readonly urls: string[]
}

const COMMAND_KEYS: ReadonlySet<string> = new Set(['command', 'cmd', 'commandline', 'script', 'shellcommand', 'bash'])
const PATH_KEYS: ReadonlySet<string> = new Set(
  (
    'path paths file files filepath filename filepaths targetfile notebookpath absolutepath relativepath ' +
    'source src destination dest sourcepath destinationpath oldpath newpath from to'
  ).split(' '),
)
const URL_KEYS: ReadonlySet<string> = new Set(['url', 'urls', 'uri', 'href', 'endpoint', 'targeturl'])
/** Tools whose bare input is a command, or a path. */
const RUNS = /^(?:.*[._-])?(?:exec|bash|shell|sh|terminal|run_?command|execute_?command|system[._]?run|process)$/i
const OPENS = /^(?:.*[._-])?(?:read|write|edit|open|cat|apply_?patch|view)(?:_?file)?$/i

const DEEPEST = 5

/** Reads arguments as JSON or as a map; anything else only for tools that are known to take a command or a path. */
export function readToolInput(value: Value | undefined, tool: string): ToolInput {
  const input: ToolInput = { scripts: [], paths: [], urls: [] }
  const parsed = typeof value === 'string' ? parsedOr(value) : value
  if (typeof parsed === 'string') {
    if (RUNS.test(tool)) input.scripts.push(parsed)
    else if (OPENS.test(tool)) input.paths.push(parsed)
  } else if (Array.isArray(parsed) && RUNS.test(tool)) input.scripts.push(scriptOf(parsed))
  else walk(parsed, input, 0)
  return input
}

/** Text that begins like JSON, read as JSON; the text itself when it is not. */
export function parsedOr(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function walk(value: unknown, input: ToolInput, depth: number): void {
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return
  if (Array.isArray(value)) {
    for (const each of value) walk(each, input, depth + 1)
    return
  }
  for (const [name, each] of Object.entries(value)) {
    const plain = name.toLowerCase().replace(/[_-]/g, '')
    if (COMMAND_KEYS.has(plain) && (typeof each === 'string' || Array.isArray(each))) {
      const args = (value as { readonly args?: unknown }).args
      input.scripts.push(scriptOf(Array.isArray(args) && !Array.isArray(each) ? [each, ...args] : each))
    } else if (PATH_KEYS.has(plain)) {
      input.paths.push(...textsIn(each))
    } else if (URL_KEYS.has(plain)) {
      for (const url of textsIn(each)) (url.startsWith('file:') ? input.paths : input.urls).push(url)
    } else walk(each, input, depth + 1)
  }
}

function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string')
}

/** A list of words as a script: those that need quotes get them, unless it is a program without arguments. */
export function scriptOf(command: unknown): string {
  if (!Array.isArray(command)) return String(command)
  return command
    .map(word => (/^[\w@%+=:,./~-]+$/.test(String(word)) ? word : `'${String(word).replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
