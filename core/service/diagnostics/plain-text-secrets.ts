import {
  type ConfigNode,
  elementOf,
  isCredentialName,
  kindOf,
  optionsOf,
  type ScalarNode,
  type Schema,
  type Warning,
} from '#core/config'
import { type Plan, SECTIONS } from '#core/pipeline'
import { telemetrySchema } from '../telemetry/schema.ts'

/**
 * Secrets that stand in a configuration as they are, where whoever may read it reads them. Headers count when their name
 * is that of a credential; parts of a URL when it has a password.
 */
export function* plainTextSecrets(
  { configuration }: Plan,
  root: ConfigNode,
  files: ReadonlySet<string>,
): Iterable<Warning> {
  const isPlainText = ({ origin }: ScalarNode) =>
    origin !== undefined && origin.via === undefined && (files.has(origin.file) || origin.file.startsWith('--set '))
  for (const section of Object.values(SECTIONS)) {
    for (const { id, definition } of configuration[section].values()) {
      const node = root.get([section, id.toString()])
      if (node !== undefined) yield* secretsIn(definition.config, node, [section, id.toString()], isPlainText)
    }
  }
  const node = root.get(['service', 'telemetry'])
  if (node !== undefined) yield* secretsIn(telemetrySchema, node, ['service', 'telemetry'], isPlainText)
}

/** Whether it stands in a file that was given as configuration, and not in a place made for secrets. */
type IsPlainText = (node: ScalarNode) => boolean

function* secretsIn(
  schema: Schema<unknown>,
  node: ConfigNode,
  path: readonly string[],
  isPlainText: IsPlainText,
): Iterable<Warning> {
  switch (kindOf(schema)) {
    case 'section':
      for (const [name, option] of Object.entries(optionsOf(schema))) {
        const child = node.get([name])
        if (child !== undefined) yield* secretsIn(option, child, [...path, name], isPlainText)
      }
      return
    case 'list':
    case 'map':
      for (const [key, child] of node.entries()) yield* secretsIn(elementOf(schema), child, [...path, key], isPlainText)
      return
    case 'headers':
      yield* headersIn(node, path, isPlainText)
      return
    case 'string':
      if (node.kind !== 'scalar' || !isPlainText(node)) return
      if (schema.secret === true ? isSecret(String(node.value)) : PASSWORD_IN_URL.test(String(node.value))) {
        yield warning(node, path)
      }
  }
}

function* headersIn(node: ConfigNode, path: readonly string[], isPlainText: IsPlainText): Iterable<Warning> {
  for (const [key, child] of node.entries()) {
    const name = node.kind === 'list' ? child.get(['name']) : key
    const value = node.kind === 'list' ? child.get(['value']) : child
    const text = typeof name === 'string' ? name : name?.kind === 'scalar' ? String(name.value) : ''
    if (value?.kind !== 'scalar' || !isCredentialName(text) || !isPlainText(value)) continue
    if (String(value.value) !== '') yield warning(value, [...path, text])
  }
}

/** Certificates are public, and so is a URL unless it has a password. */
function isSecret(text: string): boolean {
  if (text === '' || text.trimStart().startsWith('-----BEGIN CERTIFICATE')) return false
  return !/^[a-z][a-z\d+.-]*:\/\//i.test(text) || PASSWORD_IN_URL.test(text)
}

const PASSWORD_IN_URL = /^[a-z][a-z\d+.-]*:\/\/[^/?#:@\s]*:[^/?#@\s]+@/i

/** As whoever starts a collector sees it only when he checks the configuration. */
function warning({ origin }: ScalarNode, path: readonly string[]): Warning {
  return {
    level: 'warn',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what to write
    message: 'is a secret in plain text: write ${env:NAME} or ${file:PATH} instead',
    path: path.join('::'),
    code: 'plain-text-secret',
    quiet: true,
    ...(origin && { origin }),
  }
}
