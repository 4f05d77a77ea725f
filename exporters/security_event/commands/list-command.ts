import { basename } from 'node:path'
import type { Command } from '#core/component'
import { deadLetterFiles, readDeadLetters } from '../dead_letter/files.ts'

/** Tells what lies in a dead letter directory, and why. */
export const listCommand: Command = {
  name: 'security-event dead-letter list',
  summary: 'Lists the events that could not be delivered, by file and reason',
  usage: '<directory> [--events]',
  options: {
    events: { type: 'boolean', description: 'Prints each event: time, id, reason, sentence', default: false },
  },
  async run({ options, operands, stdout, stderr }) {
    const [directory] = operands
    if (directory === undefined || operands.length > 1) {
      stderr.write('Error: the directory of the dead letter must be given\n')
      return 2
    }
    let total = 0
    for (const { path, open } of await deadLetterFiles(directory)) {
      const { entries, damaged } = await readDeadLetters(path)
      total += entries.length
      const reasons = new Map<string, number>()
      for (const { reason } of entries) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      const parts = [...reasons].map(([reason, count]) => `${reason} ${count}`)
      if (damaged > 0) parts.push(`damaged lines ${damaged}`)
      stdout.write(
        `${basename(path)}${open ? ' (being written)' : ''}: ${entries.length} events (${parts.join(', ')})\n`,
      )
      if (options.events !== true) continue
      for (const { time, id, reason, message } of entries)
        stdout.write(`  ${time} ${id || '-'} ${reason}: ${message}\n`)
    }
    stdout.write(`${total} events\n`)
    return 0
  },
}
