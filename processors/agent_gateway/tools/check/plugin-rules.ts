import {
  CONVERSATION_ACCESS,
  EXPORTER_PLUGIN,
  GUARDS_CONVERSATIONS_SINCE,
  isAvailable,
  TRACING_PLUGINS,
} from '../gateway/facts.ts'
import { isBefore } from '../gateway/version.ts'
import { allowed } from './exporter-rules.ts'
import type { Rule } from './subject.ts'

const ENTRIES = ['plugins', 'entries'] as const

/** Plugins that take their settings from `diagnostics.otel` refuse a `config` block, and the gateway the whole file with it. */
export const configBlockRule: Rule = function* (subject) {
  const strict = new Map<string, readonly string[]>([EXPORTER_PLUGIN, ...TRACING_PLUGINS].map(id => [id, []]))
  for (const { id, configKeys } of subject.manifests) {
    if (configKeys === undefined) strict.delete(id)
    else strict.set(id, configKeys)
  }
  for (const [id, allowedKeys] of strict) {
    const path = [...ENTRIES, id, 'config']
    for (const [key] of subject.map(...path)?.entries() ?? []) {
      if (allowedKeys.includes(key)) continue
      const message = `invalid config: must not have additional properties: ${JSON.stringify(key)}`
      yield {
        ...subject.find('error', 'config-block', [...path, key], message),
        path: subject.find('error', '', path, '').path,
      }
    }
  }
}

/** What a plugin that builds traces needs to be loaded and to see turns. */
export const tracingPluginRule: Rule = function* (subject) {
  for (const id of TRACING_PLUGINS) {
    const entry = [...ENTRIES, id]
    const loaded = subject.manifests.some(manifest => manifest.id === id)
    if (subject.node(...entry) === undefined && !loaded) continue
    if (subject.value(...entry, 'enabled') === false) continue
    yield* allowed(subject, id, 'plugin')
    if (isBefore(subject.version, GUARDS_CONVERSATIONS_SINCE)) continue
    if (isAvailable(subject.version, CONVERSATION_ACCESS) === 'no') {
      const message = `${subject.version.text} keeps conversation hooks from plugins and cannot allow them: update`
      yield subject.find('error', 'conversation-access', entry, message)
    } else if (
      subject.value(...entry, 'hooks', 'allowConversationAccess') !== true &&
      !subject.isOpen(...entry, 'hooks')
    ) {
      const message = 'must be true, or the hooks of which traces are made are kept from the plugin'
      yield subject.find('error', 'conversation-access', [...entry, 'hooks', 'allowConversationAccess'], message)
    }
  }
}
