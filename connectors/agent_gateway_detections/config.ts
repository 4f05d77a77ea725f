import { type Static, t } from '#core/config'
import { compileGoRegExp } from '#core/transform'
import { SEVERITIES } from './rules/rule.ts'
import { builtInRules } from './rules/rule-set.ts'

const ownRule = t.section({
  id: t.string({ minLength: 1, description: 'Name of the rule, `rule.id` of what it raises.' }),
  severity: t.oneOf(SEVERITIES, { default: 'medium', description: 'How grave it is.' }),
  title: t.string({ default: '', description: 'What was found, in a few words; the id when empty.' }),
  signals: t.list(t.oneOf(['traces', 'logs'], { description: 'A signal.' }), {
    default: ['traces', 'logs'],
    description: 'Whether spans or log records are looked at.',
  }),
  span_names: t.string({
    default: '',
    description: 'Regular expression that some part of the name of a span must match. Empty: any span.',
  }),
  attributes: t.list(t.string({ description: 'A name.' }), {
    minItems: 1,
    description: 'Attributes to look at; `body` is the body of a log record. `<prefix>` stands for the prefix.',
  }),
  pattern: t.string({ minLength: 1, description: 'Regular expression that some part of a value must match.' }),
  except: t.string({ default: '', description: 'Regular expression of values that are left out all the same.' }),
  category: t.string({ default: 'tool', description: '`<prefix>.security.category` of what it raises.' }),
})
export type OwnRule = Static<typeof ownRule>

/** The options of the `agent_gateway_detections` connector. */
export const detectionsConfig = t.section({
  prefix: t.string({
    default: 'openclaw',
    minLength: 1,
    description: "What the gateway's names begin with; those of the records raised begin with it too.",
  }),
  disabled_rules: t.list(t.string({ description: 'An id.' }), {
    default: [],
    description: 'Rules that raise nothing, by id; `prompt.*` for all of a kind.',
  }),
  rules: t.list(ownRule, { default: [], description: 'Rules beside the built-in ones.' }),
  own_records: t.oneOf(['pass', 'ignore'], {
    default: 'pass',
    description:
      "Whether the gateway's own security records among the logs are handed on as well, so that the pipeline behind has all there is to know.",
  }),
  evidence: t.section(
    {
      show: t.oneOf(['redacted', 'hash', 'none'], {
        default: 'redacted',
        description:
          'What is told of the text that was found: an excerpt without what looks like a secret, its hash, nothing.',
      }),
      max_length: t.integer({ default: 200, minimum: 1, maximum: 4096, description: 'Most characters of an excerpt.' }),
    },
    { description: 'The text that was found.' },
  ),
  bursts: t.unlessDisabled(
    t.section({
      count: t.integer({ default: 5, minimum: 2, description: 'How many of them make a burst.' }),
      window: t.duration({ default: '1m', description: 'Within how long they must come.' }),
    }),
    { description: "Raise something when failed authentications or denials pile up in the gateway's own records." },
  ),
  deduplication: t.section(
    {
      window: t.duration({ default: '10m', description: 'For how long what was raised is remembered.' }),
      max_entries: t.integer({ default: 10_000, minimum: 1, description: 'How much is remembered at most.' }),
    },
    { description: 'Raise once what is seen more than once.' },
  ),
})
export type DetectionsConfig = Static<typeof detectionsConfig>

/** Faults across options. */
export function* checkDetections({ prefix, disabled_rules, rules }: DetectionsConfig): Iterable<string> {
  const ids = new Set(builtInRules(prefix).map(({ id }) => id))
  const kinds = new Set([...ids].map(id => `${id.slice(0, id.indexOf('.'))}.*`))
  for (const id of disabled_rules) if (!ids.has(id) && !kinds.has(id)) yield `disabled_rules: there is no rule ${id}`
  for (const [i, { id, pattern, except, span_names }] of rules.entries()) {
    if (ids.has(id)) yield `rules::${i}::id: there is a rule ${id} already`
    ids.add(id)
    for (const [name, text] of Object.entries({ pattern, except, span_names })) {
      try {
        compileGoRegExp(text)
      } catch (error) {
        yield `rules::${i}::${name}: error parsing regexp: ${(error as Error).message}: \`${text}\``
      }
    }
  }
}
