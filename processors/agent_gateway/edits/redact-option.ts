import { type Static, t } from '#core/config'

/** Lines of the gateway that it prints as it prints replies, as whole bodies: they hold no text of a conversation. */
const KNOWN_LINES = [
  '^log$',
  '^web_search: no provider configured and no credentials found, falling back to keyless provider "[\\w-]+"$',
  '^preflightCompaction check: sessionKey=\\*{3}( [A-Za-z]+=(undefined|true|false|\\d+))+$',
]

/** Where the gateway quotes a conversation or a command, such as `preview="..."` and `Command failed: ...`. */
const QUOTES = [
  '\\b([Bb]ody|[Cc]ontent|[Pp]review|[Pp]rompt|[Rr]eply|[Tt]ext)[:=]',
  '\\b([Cc]ommand|[Cc]md|[Aa]rgs|[Aa]rgv|[Ss]cript)( failed)?[:=]',
]

/** What must not leave. */
export const redactOption = t.section(
  {
    reply_text: t.boolean({
      default: true,
      description:
        'Take out the body of log records of the gateway that may be the text of a reply: those that name no subsystem or module, because replies are printed so.',
    }),
    keep_bodies: t.list(t.regexp({ description: 'A regular expression.' }), {
      default: KNOWN_LINES,
      description: 'Bodies of such records that stay: regular expressions, to be anchored at both ends.',
    }),
    take_bodies: t.list(t.regexp({ description: 'A regular expression.' }), {
      default: QUOTES,
      description:
        'Bodies of the other records of the gateway that are taken out as well, and what spans say of errors, since they quote conversations or commands.',
    }),
    command_args: t.boolean({
      default: true,
      description:
        'Remove the resource attributes `process.command_args` and `process.command_line`: people pass tokens in them.',
    }),
    content: t.boolean({
      default: true,
      description:
        'Remove attributes that hold prompts, replies and what tools were given, gave and failed with, on spans and log records: the gateway adds them when told to capture content.',
    }),
  },
  { description: 'What is taken out of everything, before it waits or is stored.' },
)

export type RedactConfig = Static<typeof redactOption>
