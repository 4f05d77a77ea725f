import type { Command, CommandInvocation } from '#core/component'
import { check, fromPlain } from '#core/config'
import { admitJson, Malformed, type Payload } from '#core/data'
import { securityEventConfig } from '../config.ts'
import { Progress } from '../delivery/progress.ts'
import { FORMATS } from '../mapping/format.ts'
import { mappingOf } from '../mapping-of.ts'
import { PRESETS } from '../targets/presets.ts'
import { targetOf } from '../targets/targets.ts'
import { readAll } from './read-stdin.ts'

/** Shows what would be sent, so that a mapping can be tried without a target. */
export const convertCommand: Command = {
  name: 'security-event convert',
  summary: 'Prints the security events of OTLP/JSON logs from standard input',
  usage: '[--format <format>] [--preset <preset>] < logs.json',
  options: {
    format: { type: 'string', description: `How events are written: ${FORMATS.join(', ')}` },
    preset: { type: 'string', description: `What would receive them: ${PRESETS.join(', ')}`, default: 'webhook' },
    'default-attribute': {
      type: 'string',
      multiple: true,
      description: 'name=value to put into every event; may be repeated',
    },
  },
  run: convert,
}

async function convert({ options, stdin, stdout, stderr, signal }: CommandInvocation): Promise<number> {
  const { format, preset } = options
  const defaults = ((options['default-attribute'] ?? []) as readonly string[]).map(each => each.split(/=(.*)/s))
  const written = {
    preset,
    ...(format === undefined ? {} : { format }),
    ...(defaults.length === 0 ? {} : { default_attributes: Object.fromEntries(defaults) }),
  }
  const checked = check(securityEventConfig, fromPlain(written))
  if (checked.faults !== undefined) {
    for (const { path, message } of checked.faults) stderr.write(`Error: ${path}: ${message}\n`)
    return 2
  }
  const config = checked.value
  const target = targetOf(config)
  const build = { command: 'millrace', description: '', version: '' }
  const mapping = mappingOf(config, target.format, build, Date.now)
  let failed = 0
  try {
    for (const payload of payloadsIn(await readAll(stdin, signal))) {
      const progress = new Progress(payload, mapping, target, config.max_event_bytes)
      for (const { text } of progress.pending) stdout.write(`${text}\n`)
      for (const { index, reason, why } of progress.unconvertible) stderr.write(`Record ${index}: ${reason}: ${why}\n`)
      failed += progress.unconvertible.length
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    stderr.write(`Error: the input is not OTLP/JSON logs: ${error.message}\n`)
    return 1
  }
  return failed === 0 ? 0 : 1
}

/** One export request, or several, a line each. */
function payloadsIn(input: Buffer): Payload<'logs'>[] {
  try {
    return [admitJson('logs', input).payload]
  } catch (error) {
    const lines = input
      .toString()
      .split('\n')
      .filter(line => line.trim() !== '')
    if (lines.length < 2) throw error
    return lines.map(line => admitJson('logs', line).payload)
  }
}
