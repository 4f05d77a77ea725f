import type { Command, Redirect } from './command.ts'
import { type Token, tokenize } from './tokens.ts'

/** What is looked at of one script, and how deep scripts in scripts are followed. */
const LONGEST = 32_768
const DEEPEST = 4
const MOST = 500

/**
 * The simple commands of a shell script, with those of substitutions, of `bash -c '...'`, `eval` and of here-documents
 * that a shell reads. What stands in quotes, comments and other here-documents is text, not commands.
 */
export function commandsIn(script: string): Command[] {
  const found: Command[] = []
  collect(script.slice(0, LONGEST), 0, found)
  return found.slice(0, MOST)
}

function collect(script: string, depth: number, found: Command[]): Command[] {
  const own: Command[] = []
  let pipe: Command[] = []
  let piece: Token[] = []
  const heredocs: string[] = []
  const finish = (operator: string) => {
    const command = piece.length === 0 ? undefined : commandOf(piece, script, pipe, depth, found)
    piece = []
    if (command !== undefined) {
      own.push(command)
      found.push(command)
      pipe = [...pipe, command]
    }
    if (operator !== '|' && operator !== '|&' && operator !== '\n') pipe = []
    if (operator === '\n' && command !== undefined) pipe = []
  }
  for (const token of tokenize(script)) {
    if (found.length > MOST) break
    if (token.kind === 'heredoc') heredocs.push(token.text)
    else if (token.kind === 'operator' && SEPARATORS.has(token.text)) finish(token.text)
    else if (piece.length > 0 || token.kind === 'operator' || !KEYWORDS.has(token.text)) piece.push(token)
  }
  finish('')
  if (depth < DEEPEST) {
    for (const command of own) for (const inner of innerScripts(command, heredocs)) collect(inner, depth + 1, found)
  }
  return own
}

const SEPARATORS: ReadonlySet<string> = new Set([';', ';;', '&', '&&', '||', '|', '|&', '(', ')', '\n'])
const KEYWORDS: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'while',
  'until',
  '{',
  '}',
  '!',
  'time',
  'coproc',
  'esac',
])
const WRAPPERS: ReadonlySet<string> = new Set([
  'sudo',
  'doas',
  'env',
  'nohup',
  'nice',
  'ionice',
  'exec',
  'command',
  'builtin',
  'xargs',
  'timeout',
  'stdbuf',
  'setsid',
  'busybox',
])
/** Options of wrappers that take the next word with them. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '-u',
  '-g',
  '-n',
  '-I',
  '-L',
  '-P',
  '-C',
  '-k',
  '-s',
  '-h',
  '--user',
  '--group',
])

function commandOf(
  piece: readonly Token[],
  script: string,
  pipe: readonly Command[],
  depth: number,
  found: Command[],
): Command {
  const words: string[] = []
  const redirects: Redirect[] = []
  const substitutions: Command[] = []
  for (let i = 0; i < piece.length; i++) {
    const token = piece[i]!
    if (token.kind === 'operator') {
      const target = piece[i + 1]
      redirects.push({ operator: token.text, target: target?.kind === 'word' ? target.text : '' })
      if (/^\d$/.test(words.at(-1) ?? '') && piece[i - 1]?.end === token.at) words.pop()
      if (target?.kind === 'word') i++
      if (target?.kind !== 'word') continue
    } else if (token.kind === 'word') words.push(token.text)
    const { scripts } = (token.kind === 'word' ? token : piece[i]) as Extract<Token, { kind: 'word' }>
    if (depth < DEEPEST) for (const inner of scripts) substitutions.push(...collect(inner, depth + 1, found))
  }
  const text = script.slice(piece[0]!.at, piece.at(-1)!.end)
  return { ...programIn(words), redirects, upstream: pipe, substitutions, text }
}

function programIn(words: readonly string[]): Pick<Command, 'program' | 'args' | 'assignments' | 'wrappers'> {
  const assignments: string[] = []
  const wrappers: string[] = []
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]!
    const name = word.slice(word.lastIndexOf('/') + 1)
    if (/^[A-Za-z_]\w*\+?=/.test(word)) assignments.push(word)
    else if (WRAPPERS.has(name)) {
      wrappers.push(name)
      while (/^-/.test(words[at + 1] ?? '')) at += WITH_VALUE.has(words[at + 1]!) ? 2 : 1
      if (name === 'timeout') at++
    } else return { program: name, args: words.slice(at + 1), assignments, wrappers }
  }
  // A wrapper on its own is the program.
  return { program: wrappers.pop() ?? '', args: [], assignments, wrappers }
}

/** Programs that read a script. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish'])

function* innerScripts({ program, args, redirects, upstream }: Command, heredocs: string[]): Iterable<string> {
  if (program === 'eval') yield args.join(' ')
  if (program === 'watch') yield args.filter(arg => !arg.startsWith('-')).join(' ')
  if (program === 'trap') yield args[0] ?? ''
  if (program === 'su') yield args[args.findIndex(arg => /^-([a-z]*c|-command)$/.test(arg)) + 1] ?? ''
  if (program === 'ssh') yield args.filter(arg => /\s/.test(arg)).join('\n')
  if (!SHELLS.has(program)) {
    if (redirects.some(({ operator }) => operator.startsWith('<<') && operator !== '<<<')) heredocs.shift()
    return
  }
  const flag = args.findIndex(arg => /^-[a-z]*c[a-z]*$/.test(arg))
  if (flag >= 0) yield args[flag + 1] ?? ''
  for (const { operator, target } of redirects) {
    if (operator === '<<<') yield target
    else if (operator.startsWith('<<')) yield heredocs.shift() ?? ''
  }
  const last = upstream.at(-1)
  if (flag < 0 && last !== undefined && (last.program === 'echo' || last.program === 'printf'))
    yield last.args.join(' ')
}
