import { parseArgs } from 'node:util'
import type { CommandOption } from '#core/component'
import { nearest } from '#core/config'
import type { Options } from './cli-command.ts'

/** A command line that makes no sense. The message says why, without full stop. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export interface CommandLine {
  readonly options: Options
  readonly operands: readonly string[]
}

type Declared = Readonly<Record<string, CommandOption>>

/**
 * Reads the arguments of a command. `--name value` and `--name=value` are the same, also when the value begins with a
 * dash; a switch may be written `--name`, `--name=true`, `--name=false` or `--no-name`.
 * @throws {UsageError}
 */
export function parseCommandLine(args: readonly string[], declared: Declared): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: normalize(args, declared),
      options: Object.fromEntries(Object.entries(declared).map(([name, option]) => [name, forNode(option)])),
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    })
    return { options: { ...values } as Options, operands: positionals }
  } catch (error) {
    throw inWordsOfOurs(error, declared)
  }
}

function forNode(option: CommandOption): { type: 'string' | 'boolean'; short?: string; multiple?: boolean } {
  const { type, short, multiple, default: value } = option
  const initial = value === undefined ? {} : { default: multiple === true ? [String(value)] : value }
  return {
    type,
    ...(short === undefined ? {} : { short }),
    ...(multiple === undefined ? {} : { multiple }),
    ...initial,
  }
}

/** Puts each option and its value into one argument, so that Node has nothing to guess. */
function normalize(args: readonly string[], declared: Declared): string[] {
  const rest = [...args]
  const joined: string[] = []
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') return [...joined, argument, ...rest]
    const name = nameOf(argument, declared)
    const type = name === undefined ? undefined : declared[name]?.type
    const [flag, value] = cut(argument)
    if (type === 'string' && value === undefined) {
      const next = rest.shift()
      if (next === undefined) throw new UsageError(`flag needs an argument: ${argument}`)
      joined.push(`--${name}=${next}`)
    } else if (type === 'boolean' && value !== undefined) {
      if (value !== 'true' && value !== 'false') {
        throw new UsageError(`invalid argument "${value}" for "${flag}" flag: must be true or false`)
      }
      joined.push(value === 'true' ? `--${name}` : `--no-${name}`)
    } else {
      joined.push(argument)
    }
  }
  return joined
}

function nameOf(argument: string, declared: Declared): string | undefined {
  const [flag] = cut(argument)
  if (flag.startsWith('--')) return flag.slice(2)
  return Object.keys(declared).find(name => `-${declared[name]?.short}` === flag)
}

function cut(argument: string): [flag: string, value: string | undefined] {
  const equals = argument.indexOf('=')
  return equals < 0 || !argument.startsWith('-')
    ? [argument, undefined]
    : [argument.slice(0, equals), argument.slice(equals + 1)]
}

function inWordsOfOurs(error: unknown, declared: Declared): unknown {
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('ERR_PARSE_ARGS')) return error
  const flag = /'(-[^' ]*)/.exec(error.message)?.[1]
  if (error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || flag === undefined) return new UsageError(error.message)
  const suggestion = nearest(flag.replace(/^-+/, ''), Object.keys(declared))
  return new UsageError(`unknown flag: ${flag}${suggestion === undefined ? '' : ` (did you mean "--${suggestion}"?)`}`)
}
