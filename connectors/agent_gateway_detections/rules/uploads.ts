import type { Command } from '../shell/command.ts'
import { behind, isLocal, readsFrom } from './command-words.ts'
import { normalizePath, PATH_RULES } from './paths.ts'

function isSensitive(path: string): boolean {
  const normal = normalizePath(path)
  return PATH_RULES.some(({ match }) => match(normal))
}

/** Files that a command sends to another machine. `-` is what comes down the pipe. */
export function uploads(command: Command): string[] {
  const { program, args } = command
  if (args.some(isLocal)) return []
  if (program === 'curl') {
    return args.flatMap((arg, i) => {
      const value =
        /^-[a-zA-Z]*[TFd]$|^--(upload-file|form|data|data-binary|data-raw|data-ascii|data-urlencode|json)$/.test(arg)
          ? args[i + 1]
          : /^(?:-[TFd]|--[\w-]+=)(.+)$/.exec(arg)?.[1]
      if (value === undefined) return []
      if (/^(-[a-zA-Z]*T|--upload-file)/.test(arg)) return [value]
      const file = /(?:^|=)[@<](.+)$/.exec(value)?.[1]
      return file === undefined || arg.startsWith('--data-raw') ? [] : [file.replace(/;.*$/, '')]
    })
  }
  if (program === 'wget') return args.flatMap(arg => /^--(?:post|body)-file=(.+)$/.exec(arg)?.[1] ?? [])
  if (program === 'nc' || program === 'ncat' || program === 'netcat') {
    if (args.some(arg => /^-[a-z]*l/.test(arg))) return []
    const files = command.redirects.filter(({ operator }) => operator === '<').map(({ target }) => target)
    return command.upstream.length > 0 ? ['-', ...files] : files
  }
  if (program === 'scp' || program === 'rsync') {
    const plain = args.filter(arg => !arg.startsWith('-'))
    return /^[^/]+:/.test(plain.at(-1) ?? '') ? plain.slice(0, -1) : []
  }
  return []
}

/** Whether one of those holds secrets, or what comes down the pipe does. */
export function uploadsSensitive(command: Command): boolean {
  return uploads(command).some(file => {
    if (file !== '-' && file !== '/dev/stdin') return isSensitive(file)
    return (
      behind(command, ({ program, args }) => program === 'printenv' || (program === 'env' && args.length === 0)) ||
      behind(command, before => readsFrom(before).some(isSensitive))
    )
  })
}
