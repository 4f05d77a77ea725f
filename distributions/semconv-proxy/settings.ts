import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Environment, nearest, parseYaml } from '#core/config'
import { OPTIONS, type OptionName, type ProxyOption, type Settings, variableOf } from './options.ts'

/** Settings that cannot be used. The message is what the program prints before it ends. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** What a command line asks for. */
export type Request = { readonly action: 'help' | 'version' } | { readonly action: 'run'; readonly settings: Settings }

type Written = { readonly [name: string]: unknown }

/**
 * Reads the settings: flags win over environment variables, these over the file, and that over defaults. An empty
 * variable counts as not set.
 * @throws {SettingsError}
 */
export function readSettings(argv: readonly string[], env: Environment): Request {
  const flags = readFlags(argv)
  if (flags.help === true) return { action: 'help' }
  if (flags.version === true) return { action: 'version' }
  const path = (flags.config as string | undefined) || env[variableOf('config')] || undefined
  const file = path === undefined ? {} : readFile(path)
  const settings: Record<string, string | number | boolean> = {}
  for (const [name, option] of Object.entries<ProxyOption>(OPTIONS)) {
    const variable = env[variableOf(name)] || undefined
    settings[name] = convert(name, option, flags[name] ?? variable ?? file[name] ?? option.default)
  }
  if (settings['backend-endpoint'] === '') throw new SettingsError('config: backend-endpoint is required')
  return { action: 'run', settings: settings as unknown as Settings }
}

function readFlags(argv: readonly string[]): Written {
  const options = Object.entries<ProxyOption>(OPTIONS).map(([name, { type, short }]) => [
    name,
    { type: type === 'flag' ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
  ])
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        ...(Object.fromEntries(options) as Record<string, { type: 'string' | 'boolean' }>),
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
      strict: true,
      allowNegative: true,
    })
    return values
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    throw new SettingsError(`config: ${sentence}`)
  }
}

/** The file's keys are the names of flags, with dashes or underscores. */
function readFile(path: string): Written {
  let tree: unknown
  try {
    tree = parseYaml(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new SettingsError(`config: cannot read ${path}: ${error instanceof Error ? error.message : error}`)
  }
  if (tree === null || tree === undefined) return {}
  if (typeof tree !== 'object' || Array.isArray(tree))
    throw new SettingsError(`config: ${path} must hold keys and values`)
  const file: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(tree)) {
    const name = key.replaceAll('_', '-')
    if (!(name in OPTIONS)) {
      const meant = nearest(name, Object.keys(OPTIONS))
      throw new SettingsError(
        `config: unknown key ${key} in ${path}${meant === undefined ? '' : `, did you mean ${meant}?`}`,
      )
    }
    file[name] = Array.isArray(value) ? value.join(',') : value
  }
  return file
}

function convert(name: string, option: ProxyOption, written: unknown): string | number | boolean {
  const text = String(written)
  switch (option.type) {
    case 'number':
      return toNumber(name as OptionName, option, text)
    case 'flag':
      if (text !== 'true' && text !== 'false')
        throw new SettingsError(`config: ${name} must be true or false, got ${text}`)
      return text === 'true'
    case 'word':
      if (option.words?.includes(text)) return text
      throw new SettingsError(`config: ${name} must be one of ${option.words?.join(', ')}, got ${text}`)
    default:
      return text
  }
}

function toNumber(name: OptionName, option: ProxyOption, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const whole = Number.isSafeInteger(value)
  if (option.number === 'port') {
    if (whole && value >= 1 && value <= 65_535) return value
    throw new SettingsError(`config: ${name} must be between 1 and 65535, got ${text}`)
  }
  if (whole && value >= (option.number === 'positive' ? 1 : 0)) return value
  throw new SettingsError(
    `config: ${name} must ${option.number === 'positive' ? 'be positive' : 'not be negative'}, got ${text}`,
  )
}
