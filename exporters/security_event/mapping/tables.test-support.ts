import { ECS_ADDRESSES, ECS_FIELD_SETS, ECS_RENAMES } from '../ecs/attributes.ts'
import { ECS_FIELDS } from '../ecs/ecs.ts'
import { CEF_GATEWAY_KEYS, CEF_KEYS, CEF_SEVERITY } from '../lines/cef.ts'
import { LEEF_GATEWAY_KEYS, LEEF_KEYS } from '../lines/leef.ts'
import { ATTRIBUTE_ROWS, RESOURCE_ATTRIBUTES } from '../ocsf/attributes.ts'
import { CLASSES, type OcsfClass } from '../ocsf/classes.ts'
import { DECISIONS, GATEWAY_ACTIONS } from '../ocsf/gateway.ts'
import { EVENT_WORDS } from '../ocsf/select-class.ts'
import { FLAT_FIELDS } from './flat.ts'
import { ORIGINAL_FIELDS } from './original.ts'
import { GRADE_NAMES, GRADE_WORDS, SEVERITY_ATTRIBUTES, severityName } from './severity.ts'

/** The mapping of each format as a document, from the tables that do the mapping. */
export function mappingDocument(): string {
  return `# How log records become security events

Written by \`npx vitest run exporters/security_event/mapping -u\` from the tables in the code.

## How grave an event is

\`<prefix>.security.severity\` of an agent gateway's security record decides; else the first attribute of
${codes(SEVERITY_ATTRIBUTES)} that holds one of the words below; else the severity number; else the severity text, read as one of the words.

${table(
  ['Grade (OCSF `severity_id`)', 'Severity numbers', 'Words', 'CEF and LEEF'],
  GRADE_NAMES.map((name, grade) => [
    `${grade} ${name}`,
    RANGES[grade] ?? '',
    [...GRADE_WORDS]
      .filter(([, each]) => each === grade)
      .map(([word]) => word)
      .join(', '),
    String(CEF_SEVERITY[grade]),
  ]),
)}

## flat

One JSON object without nesting of names. Default attributes, resource attributes, scope attributes and record
attributes follow under their own names; the record's win over the scope's, the scope's over the resource's. What has to
give way is kept with \`resource.\`, \`scope.\` or \`attributes.\` before its name, and counted.

${table(['Field', 'From'], entries(FLAT_FIELDS))}

## original

What the Go exporter \`securityevent\` sends: all values as strings, names sorted, no body and no severity.

${table(['Field', 'From'], entries(ORIGINAL_FIELDS))}

## ocsf

OCSF 1.8.0. The event's word is its event name, else the first of ${codes(EVENT_WORDS)}. The class is the one that
\`ocsf.class_uid\` names; else, for security records of an agent gateway, that of the table further down; else the
first below that the word speaks for; else the first that the attributes speak for; else by severity. A class whose
required objects are not known is passed over.

${table(
  ['Class', 'When', 'Needs'],
  (Object.values(CLASSES) as OcsfClass[]).map(({ uid, name, when, needs }) => [
    `${uid} ${name}`,
    when,
    needs.map(groups => codes(groups, ' or ')).join(', '),
  ]),
)}

Where the attributes of a group go in each class; a group without a place stays in \`unmapped\`:

${table(
  ['Group', ...(Object.values(CLASSES) as OcsfClass[]).map(({ uid }) => String(uid))],
  [...new Set(ATTRIBUTE_ROWS.map(([, group]) => group))].map(group => [
    group,
    ...(Object.values(CLASSES) as OcsfClass[]).map(({ places }) => places[group] ?? ''),
  ]),
)}

Attributes of a record, in order of precedence; of the resource only ${codes([...RESOURCE_ATTRIBUTES])} describe the
event, and \`service.name\`, \`service.version\` and \`service.namespace\` make up \`metadata.product\`. All others stay in
\`unmapped\` under their own names.

${table(
  ['Attribute', 'Group', 'Member'],
  ATTRIBUTE_ROWS.map(([attribute, group, path, type]) => [
    `\`${attribute}\``,
    group,
    type === 'address' ? 'ip or hostname' : path,
  ]),
)}

\`metadata.uid\` is the event id, \`metadata.original_event_uid\` the source's own (\`event.id\`), \`status_detail\` is
\`exception.message\`, \`status_id\` follows from \`event.outcome\`. Something denied or blocked has \`action_id\` 2 and
\`disposition_id\` 2. A trace id has its place in 4002 and 6003; a span id stays in \`unmapped\`, since OCSF wants the
span's start and end beside it.

### Security records of an agent gateway

Records with \`<prefix>.security.action\` or \`<prefix>.security.category\`, where \`agent_gateway_prefix\` is the prefix. The
word is the action; \`<prefix>.security.event_id\` is the event id, and so \`metadata.uid\` and \`finding_info.uid\`.

${table(
  ['Action', 'Class', 'Activity', 'Action and disposition'],
  Object.entries(GATEWAY_ACTIONS).map(([action, { type, activity, decision }]) => {
    const { uid, name, activities } = CLASSES[type] as OcsfClass
    const decided = decision === undefined ? '' : DECISIONS[decision]
    return [
      `\`${action}\``,
      `${uid} ${name}`,
      `${activity} ${activities[activity]} (${uid * 100 + activity})`,
      decided === '' ? '' : `${decided[0]} ${decided[1]}, ${decided[2]} ${decided[3]}`,
    ]
  }),
)}

Of other actions, those that were denied or failed, and those that end in \`detected\`, are findings (2004); the rest goes by
category: auth is 3002, tool, approval and secret 6003, everything else 6002 with the activity of the action's last word. A
pairing that is denied has the activity that its control names. What was detected has \`action_id\` 3 and
\`disposition_id\` 15, or 2 and 2 when it was denied. \`status_id\` follows from the outcome, \`status_detail\` is the reason,
\`policy\` the policy. Hashes of devices and actors are \`user.uid\` and \`entity.uid\`, never names; an authentication of
nobody known has the \`user.uid\` \`unknown\`. What has no place stays in \`unmapped\`.

## ecs

${table(['Field', 'From'], entries(ECS_FIELDS))}

Attributes of the field sets ${codes([...ECS_FIELD_SETS])} keep their names. These get another:

${table(
  ['Attribute', 'Field'],
  [...ECS_RENAMES, ...[...ECS_ADDRESSES].map(([name, side]) => [name, `${side}.ip (also)`] as const)].map(
    ([from, to]) => [`\`${from}\``, `\`${to}\``],
  ),
)}

All others, and lists and maps, become \`labels\`, dots as underscores.

## cef

\`CEF:0|vendor|product|version|signature|name|severity|extension\`: vendor, product and version are \`service.namespace\`,
\`service.name\` and \`service.version\`; signature and name are \`rule.id\` and \`rule.name\`, else the event's word. The
extension begins with \`rt\` (milliseconds), \`externalId\` (the event id), \`act\` (the word) and \`msg\` (the body).

${table(
  ['Attribute', 'Key'],
  [...CEF_KEYS, ...gatewayKeys(CEF_GATEWAY_KEYS)].map(([from, to]) => [`\`${from}\``, `\`${to}\``]),
)}

## leef

LEEF 2.0 with tabs, \`devTime\`, \`sev\`, \`eventId\` (the event id), \`cat\` (the event's word) and \`msg\` (the body).

${table(
  ['Attribute', 'Key'],
  [...LEEF_KEYS, ...gatewayKeys(LEEF_GATEWAY_KEYS)].map(([from, to]) => [`\`${from}\``, `\`${to}\``]),
)}
`
}

const RANGES: Readonly<Record<number, string>> = {
  0: '0 and above 24',
  1: `1-12 (${[1, 5, 9].map(severityName).join(', ')})`,
  3: `13-16 (${severityName(13)})`,
  4: `17-20 (${severityName(17)})`,
  5: `21-24 (${severityName(21)})`,
}

function gatewayKeys(keys: readonly (readonly [string, string])[]): [string, string][] {
  return keys.map(([from, to]) => [`<prefix>.security.${from}`, to])
}

function entries(fields: Readonly<Record<string, string>>): string[][] {
  return Object.entries(fields).map(([name, from]) => [`\`${name}\``, from])
}

function codes(words: readonly string[], between = ', '): string {
  return words.map(word => `\`${word}\``).join(between)
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows]
  return lines.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}
