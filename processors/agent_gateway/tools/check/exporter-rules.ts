import {
  COMPLETE_SINCE,
  EXPORTER_PLUGIN,
  GRANTS_EVENTS_SINCE,
  INSTALL_COMMAND,
  SCHEMA_REFUSES_GRPC_SINCE,
  UNBUNDLED_SINCE,
} from '../gateway/facts.ts'
import { isBefore } from '../gateway/version.ts'
import type { Finding } from './finding.ts'
import type { Rule, Subject } from './subject.ts'

const OTEL = ['diagnostics', 'otel'] as const

/** Whether anything is exported at all. */
export const exportRule: Rule = function* (subject) {
  if (subject.map(...OTEL) === undefined) {
    if (subject.node(...OTEL) === undefined && !subject.isOpen(...OTEL)) {
      yield subject.find('warning', 'not-exported', OTEL, 'is not set, so nothing is exported')
    }
    return
  }
  if (subject.value(...OTEL, 'enabled') !== true) {
    if (subject.isOpen(...OTEL) && subject.node(...OTEL, 'enabled') === undefined) return
    yield subject.find('warning', 'not-exported', [...OTEL, 'enabled'], 'must be true, or nothing is exported')
  } else if (subject.value('diagnostics', 'enabled') === false) {
    yield subject.find('error', 'not-exported', ['diagnostics', 'enabled'], 'is false, so nothing is exported')
  }
}

/** The exporter is a plugin: it must be there, enabled and allowed. */
export const exporterPluginRule: Rule = function* (subject) {
  if (!subject.exports) return
  const entry = ['plugins', 'entries', EXPORTER_PLUGIN]
  const bundled = isBefore(subject.version, UNBUNDLED_SINCE)
  const { text } = subject.version
  if (subject.value('plugins', 'enabled') === false) {
    yield subject.find('error', 'exporter-disabled', ['plugins', 'enabled'], 'is false, so the exporter is not loaded')
  }
  if (subject.value(...entry, 'enabled') === false) {
    yield subject.find('error', 'exporter-disabled', [...entry, 'enabled'], 'is false, so nothing is exported')
  } else if (bundled && subject.value(...entry, 'enabled') !== true && !subject.isOpen(...entry)) {
    const message = `must be true: ${text} contains the exporter, but disabled`
    yield subject.find('error', 'exporter-disabled', [...entry, 'enabled'], message)
  }
  yield* allowed(subject, EXPORTER_PLUGIN, 'exporter')
  if (!bundled && !mayBeInstalled(subject)) {
    const message = `${text} does not contain the exporter: install it with \`${INSTALL_COMMAND}\`, unless that is done`
    yield subject.find('warning', 'exporter-not-bundled', entry, message)
  }
  if (!bundled && isBefore(subject.version, GRANTS_EVENTS_SINCE)) {
    const message = `${text} gives no events to an exporter that was installed: update to ${GRANTS_EVENTS_SINCE} or newer`
    yield subject.find('warning', 'exporter-gets-nothing', entry, message)
  }
  if (isBefore(subject.version, COMPLETE_SINCE)) {
    const message = `${text} may lack packages of the exporter ("Cannot find module '@opentelemetry/api'" in its log): update to ${COMPLETE_SINCE} or newer`
    yield subject.find('warning', 'exporter-incomplete', entry, message)
  }
}

/** Whether the file itself shows that somebody installed the exporter. */
function mayBeInstalled(subject: Subject): boolean {
  const paths = subject.texts('plugins', 'load', 'paths') ?? []
  return (
    subject.isOpen('plugins', 'installs') ||
    subject.node('plugins', 'installs', EXPORTER_PLUGIN) !== undefined ||
    paths.some(path => path.includes(EXPORTER_PLUGIN)) ||
    subject.manifests.some(({ id }) => id === EXPORTER_PLUGIN)
  )
}

/** Says when `plugins.allow` or `plugins.deny` keeps a plugin from loading. */
export function* allowed(subject: Subject, id: string, what: string): Iterable<Finding> {
  if (subject.texts('plugins', 'deny')?.includes(id) === true) {
    yield subject.find('error', 'plugin-denied', ['plugins', 'deny'], `lists "${id}", so the ${what} is not loaded`)
  }
  const allow = subject.texts('plugins', 'allow')
  if (allow !== undefined && !allow.includes(id)) {
    yield subject.find(
      'error',
      'plugin-not-allowed',
      ['plugins', 'allow'],
      `must list "${id}", or the ${what} is not loaded`,
    )
  }
}

/** Nothing but `http/protobuf` was ever sent. */
export const protocolRule: Rule = function* (subject) {
  const path = [...OTEL, 'protocol']
  if (subject.node(...path) === undefined) return
  const protocol = subject.value(...path)
  if (protocol === 'http/protobuf') return
  if (!isBefore(subject.version, SCHEMA_REFUSES_GRPC_SINCE)) {
    yield subject.find('error', 'protocol', path, 'Invalid input: expected "http/protobuf"')
  } else if (protocol === 'grpc') {
    const message = 'the gateway takes "grpc", but its exporter does not start with it: set "http/protobuf"'
    yield subject.find('error', 'protocol', path, message)
  } else {
    yield subject.find('error', 'protocol', path, 'Invalid option: expected one of "http/protobuf"|"grpc"')
  }
}
