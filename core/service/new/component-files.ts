import type { BuildInfo, Kind } from '#core/component'
import { connectorTemplate } from './connector.ts'
import { exporterTemplate } from './exporter.ts'
import { extensionTemplate } from './extension.ts'
import type { Names } from './names.ts'
import { processorTemplate } from './processor.ts'
import { receiverTemplate } from './receiver.ts'
import type { Template } from './template.ts'

const TEMPLATES: Readonly<Record<Kind, Template>> = {
  receiver: receiverTemplate,
  processor: processorTemplate,
  exporter: exporterTemplate,
  connector: connectorTemplate,
  extension: extensionTemplate,
}

/**
 * The files of a new component by name, which work as they are: the component, its test, a configuration, a README, a
 * manifest. `dependency` is what the manifest says of `millrace` where it has to be installed first.
 */
export function componentFiles(
  kind: Kind,
  names: Names,
  build: BuildInfo,
  dependency?: string,
): Readonly<Record<string, string>> {
  const template = TEMPLATES[kind]
  return {
    [`${names.file}.ts`]: template.component(names),
    [`${names.file}.test.ts`]: template.test(names),
    'config.yaml': template.config(names),
    'README.md': readme(kind, names, template, build),
    'package.json': manifest(kind, names, template, build, dependency),
  }
}

function readme(kind: Kind, names: Names, template: Template, { command }: BuildInfo): string {
  const { type, file } = names
  const attempt =
    template.attempt.length === 0 ? '' : `\nIn another terminal:\n\n\`\`\`sh\n${template.attempt.join('\n')}\n\`\`\`\n`
  return `# ${type} ${kind}

${template.does}

\`\`\`yaml
${template.config(names).trimEnd()}
\`\`\`

## Options

<!-- options -->
<!-- /options -->

The table is written by \`${command} docs --component ./${file}.ts\`.

## Try it

\`\`\`sh
npm start   # ${command} --config config.yaml --watch: change ${file}.ts meanwhile, it is taken in at once
npm test    # node --test: the test beside it
\`\`\`
${attempt}
## Stability

Development.
`
}

function manifest(
  kind: Kind,
  { type, file }: Names,
  { does }: Template,
  { command, version }: BuildInfo,
  dependency: string | undefined,
): string {
  const content = {
    name: `millrace-${kind}-${type.replaceAll('_', '-')}`,
    version: '0.1.0',
    description: does,
    type: 'module',
    exports: `./${file}.ts`,
    files: [`${file}.ts`, 'README.md'],
    keywords: ['millrace', 'opentelemetry', kind],
    engines: { node: '>=24' },
    scripts: { start: `${command} --config config.yaml --watch`, test: 'node --test' },
    peerDependencies: { millrace: `>=${version}` },
    ...(dependency === undefined ? {} : { devDependencies: { millrace: dependency } }),
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}
