import type { FormatName } from '../mapping/format.ts'
import type { SecurityEvent } from '../mapping/security-event.ts'

/**
 * An event as a JSON object with more members before its own; a line of text becomes the member `message`.
 * @param members names to values, left out where empty or where the event's attributes have the name
 */
export function objectText(
  event: SecurityEvent,
  format: FormatName,
  members: Readonly<Record<string, string>>,
): string {
  let text = ''
  for (const [name, value] of Object.entries(members)) {
    if (value !== '' && event.facts.get(name) === undefined) text += `${JSON.stringify(name)}:${JSON.stringify(value)},`
  }
  if (format === 'cef' || format === 'leef') return `{${text}"message":${JSON.stringify(event.text)}}`
  if (text === '') return event.text
  return event.text === '{}' ? `{${text.slice(0, -1)}}` : `{${text}${event.text.slice(1)}`
}
