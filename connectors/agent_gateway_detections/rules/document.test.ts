import { expect, test } from 'vitest'
import { COMMAND_RULES } from './commands.ts'
import { gatewayFileRule, PATH_RULES } from './paths.ts'
import type { CommandRule, PathRule, TextRule } from './rule.ts'
import { OUTCOME_RULES } from './rule-set.ts'
import { TEXT_RULES } from './texts.ts'

const shown = (text: string) =>
  text
    .replace(/[\p{Cf}\p{Cs}\u{e0000}-\u{e007f}]/gu, c => `\\u{${c.codePointAt(0)!.toString(16)}}`)
    .replaceAll('|', '\\|')
    .replaceAll('\n', '⏎')
const code = (text: string) => (text.includes('`') ? `\`\` ${shown(text)} \`\`` : `\`${shown(text)}\``)

function table(rules: readonly (PathRule | CommandRule | TextRule)[]): string {
  return [
    '| Rule | Severity | Found | For example | Passed |',
    '| --- | --- | --- | --- | --- |',
    ...rules.map(({ id, severity, title, found, passed }) => {
      const cells = [`\`${id}\``, severity, title, found.map(code).join('<br>'), passed.map(code).join('<br>')]
      return `| ${cells.join(' | ')} |`
    }),
  ].join('\n')
}

const document = `# The rules

Written by \`npx vitest run connectors/agent_gateway_detections/rules -u\` from the tables in the code. Every example is a
test. \`medium\` is what the tracing plugin's authors call \`warning\`.

## Sensitive files

Paths in the arguments of tools, and files that commands read (not those that they only list, test or grant rights to);
of those that commands write, only the critical ones. In lower case, with slashes. The first rule that fits counts; it finds one file a call.

${table([...PATH_RULES, gatewayFileRule('openclaw')])}

## Dangerous commands

Shell scripts in the arguments of tools and of processes, taken apart into simple commands: what stands in quotes,
comments and here-documents is text; substitutions, \`bash -c\`, \`eval\`, \`ssh\` and what is piped into a shell are followed.

${table(COMMAND_RULES)}

## Prompt injection

Texts that reach a model from outside: what is new in its messages, but for those of the system and its own, and the
results of tools. A text that three or more rules fit is critical.

${table(TEXT_RULES)}

## Outcomes

| Rule | Severity | Found |
| --- | --- | --- |
${OUTCOME_RULES.map(({ id, severity, title }) => `| \`${id}\` | ${severity} | ${title} |`).join('\n')}

\`tool.blocked\` is told of spans with the outcome \`blocked\` or a \`deniedReason\`; the two others of the gateway's own
security records: \`gateway.auth.failed\`, by device and target, and \`exec.approval.denied\` with \`tool.execution.blocked\`,
by device.
`

test('the document of the rules is what the tables say', async () => {
  await expect(document).toMatchFileSnapshot('README.md')
})
