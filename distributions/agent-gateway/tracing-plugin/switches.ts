import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from './fields.ts'

/** What cannot be said in the gateway's configuration, whose schema is strict. */
export interface Switches {
  /** First part of the names of spans and attributes. Default `openclaw`. */
  readonly prefix: string
  /** Whether session keys and senders leave as hashes. Default true. */
  readonly hashIdentifiers: boolean
  /** Whether each model call has its span. Default true. */
  readonly modelCallSpans: boolean
  /** Whether each started subagent has its span. Default true. */
  readonly subagentSpans: boolean
  /** Whether the start of the gateway and commands that reset a session have spans of their own. Default false. */
  readonly lifecycleSpans: boolean
  /** Whether metrics are exported: always, never, or when the gateway's own exporter is off. Default `auto`. */
  readonly metrics: 'auto' | 'always' | 'never'
}

/** The switches where there is no file. */
export const DEFAULT_SWITCHES: Switches = {
  prefix: 'openclaw',
  hashIdentifiers: true,
  modelCallSpans: true,
  subagentSpans: true,
  lifecycleSpans: false,
  metrics: 'auto',
}

/**
 * Reads `settings.json` beside the plugin, if there is one. What is wrong in it is told by `complain` and left at its
 * default: a mistake there must not keep the gateway from starting.
 */
export function readSwitches(folder: string, complain: (line: string) => void): Switches {
  let text: string
  try {
    text = readFileSync(join(folder, 'settings.json'), 'utf8')
  } catch {
    return DEFAULT_SWITCHES
  }
  try {
    return switchesOf(JSON.parse(text), complain)
  } catch (error) {
    complain(`settings.json cannot be read: ${error instanceof Error ? error.message : error}`)
    return DEFAULT_SWITCHES
  }
}

function switchesOf(written: unknown, complain: (line: string) => void): Switches {
  const switches: Record<string, unknown> = { ...DEFAULT_SWITCHES }
  for (const [key, value] of Object.entries(fieldsOf(written))) {
    if (!(key in DEFAULT_SWITCHES)) complain(`settings.json: unknown key ${JSON.stringify(key)}`)
    else if (!isValid(key, value)) complain(`settings.json: ${key} cannot be ${JSON.stringify(value)}`)
    else switches[key] = value
  }
  return switches as unknown as Switches
}

function isValid(key: string, value: unknown): boolean {
  if (key === 'prefix') return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.-]{0,126}[A-Za-z0-9]$/.test(value)
  if (key === 'metrics') return value === 'auto' || value === 'always' || value === 'never'
  return typeof value === 'boolean'
}
