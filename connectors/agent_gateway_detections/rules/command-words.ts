import type { Command } from '../shell/command.ts'
import { SHELLS } from '../shell/commands-in.ts'

/** Small questions about commands that the rules put together. */

const INTERPRETERS: ReadonlySet<string> = new Set([
  ...SHELLS,
  'python',
  'python3',
  'perl',
  'ruby',
  'node',
  'php',
  'deno',
  'bun',
])
const DOWNLOADERS: ReadonlySet<string> = new Set(['curl', 'wget', 'fetch', 'aria2c', 'http', 'https'])
const READERS: ReadonlySet<string> = new Set(
  (
    'cat tac less more head tail grep egrep fgrep rg ag awk gawk sed cp mv scp sftp rsync tar zip gzip base64 xxd od hexdump strings ' +
    'curl wget nc ncat openssl gpg vim vi nano emacs code tee dd source . jq yq sort cut uniq python python3 node perl ruby rclone aws gsutil install ln'
  ).split(' '),
)

/** Whether the program runs what it reads from its standard input: an interpreter without a script of its own. */
export function runsItsInput({ program, args }: Command): boolean {
  if (!INTERPRETERS.has(program)) return false
  const script = args.find(arg => !arg.startsWith('-'))
  if (script !== undefined && script !== '/dev/stdin' && !args.includes('-s')) return false
  return !args.some(arg => /^-(-eval|-execute|[a-z]*[ceE])$/.test(arg) && !SHELLS_ONLY_FLAG.test(arg))
}
const SHELLS_ONLY_FLAG = /^-(s|e|x|ex|xe)$/

export function downloads(command: Command): boolean {
  return DOWNLOADERS.has(command.program)
}

/** Whether any command before it in its pipe fits. */
export function behind(command: Command, fits: (before: Command) => boolean): boolean {
  return command.upstream.some(fits)
}

/** Whether a command is handed what others print as its own script: `eval "$(...)"`, `bash -c "$(...)"`, `bash <(...)`. */
export function runsOutputOf(command: Command, fits: (inner: Command) => boolean): boolean {
  const { program, args, redirects } = command
  const given = program === 'eval' || program === 'source' || program === '.' || SHELLS.has(program)
  const taken = args.some(arg => arg.includes('$()')) || redirects.some(({ target }) => target.includes('$()'))
  return given && taken && command.substitutions.some(fits)
}

/** Paths whose contents the command takes in, not those that it only lists, tests, grants rights to or writes. */
export function readsFrom(command: Command): string[] {
  const paths = command.redirects.map(({ target }) => target)
  const written = new Set(writesTo(command))
  const read = () => paths.filter(path => !written.has(path))
  if (!READERS.has(command.program)) return read()
  for (const arg of command.args) {
    // `@file` of curl, `if=file` of dd, `--post-file=file`, `user@host:file` of scp.
    const value = arg.startsWith('-') ? (/^--?[\w-]+=(.+)$/.exec(arg)?.[1] ?? '') : arg
    for (const path of value.split(/(?<=^|[\w.-])=?@|^if=|^of=|^[\w.-]+@[\w.-]+:/))
      if (path !== '' && !/^[a-z][\w+.-]+:\/\//i.test(path)) paths.push(path)
  }
  return read()
}

/** Where the command writes: redirects, and the last path of copies, links, `tee` and `sed -i`. */
export function writesTo({ program, args, redirects }: Command): string[] {
  const targets = redirects
    .filter(({ operator }) => /^(&?>|>)/.test(operator) && operator !== '>&')
    .map(({ target }) => target)
  const plain = args.filter(arg => !arg.startsWith('-'))
  if (program === 'tee') targets.push(...plain)
  if (['cp', 'mv', 'ln', 'install', 'scp', 'rsync'].includes(program) && plain.length > 1) targets.push(plain.at(-1)!)
  if (program === 'sed' && args.some(arg => /^(-[a-z]*i|--in-place)/.test(arg))) targets.push(...plain.slice(1))
  if (program === 'dd') targets.push(...args.filter(arg => arg.startsWith('of=')).map(arg => arg.slice(3)))
  if (['vim', 'vi', 'nano', 'emacs'].includes(program)) targets.push(...plain)
  return targets
}

/** Whether a host is this machine. */
export function isLocal(url: string): boolean {
  return /^(\w+:\/\/)?(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)([:/]|$)/i.test(url)
}
