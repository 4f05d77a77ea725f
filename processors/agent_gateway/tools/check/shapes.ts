/**
 * The parts of the gateway's configuration that are checked key by key.
 * @module
 */
import { CAPTURE_CONTENT, CONVERSATION_ACCESS, METRIC_NAME_PREFIX, SIGNAL_ENDPOINTS } from '../gateway/facts.ts'
import type { Key, Shape } from './shape.ts'

const boolean: Shape = { kind: 'boolean' }
const string: Shape = { kind: 'string' }
const strings: Shape = { kind: 'list', of: string }
const anything: Shape = { kind: 'anything' }
const timeout: Shape = { kind: 'number', whole: true, above: 0, max: 600_000 }

/** Keys of the same shape, available in the same versions. */
function keys(names: string, key: Key): Readonly<Record<string, Key>> {
  return Object.fromEntries(names.split(' ').map(name => [name, key]))
}

/** The forms that went while the schema was simplified. */
const SIMPLIFIED = { went: ['2026.5.0', '2026.8.0'] } as const

const contentClasses: Shape = {
  kind: 'section',
  keys: keys('enabled inputMessages outputMessages toolInputs toolOutputs systemPrompt', { shape: boolean }),
}

const otel: Shape = {
  kind: 'section',
  keys: {
    ...keys('enabled traces metrics logs', { shape: boolean }),
    ...keys('endpoint serviceName', { shape: string }),
    ...keys('tracesEndpoint metricsEndpoint logsEndpoint', { shape: string, ...SIGNAL_ENDPOINTS }),
    // Judged by a rule of its own.
    protocol: { shape: anything },
    headers: { shape: { kind: 'map', of: string } },
    sampleRate: { shape: { kind: 'number', min: 0, max: 1 } },
    flushIntervalMs: { shape: { kind: 'number', whole: true, min: 0 } },
    captureContent: {
      shape: { kind: 'switch', section: contentClasses, available: { went: ['2026.6.0', '2026.8.0'] } },
      ...CAPTURE_CONTENT,
    },
    metricNamePrefix: {
      shape: { kind: 'string', maxLength: 128, pattern: /^(?:[A-Za-z][A-Za-z0-9_./-]*)?$/ },
      ...METRIC_NAME_PREFIX,
    },
    logsExporter: { shape: { kind: 'word', words: ['otlp', 'stdout', 'both'] }, came: ['2026.6.0', '2026.7.0'] },
  },
}

const cacheTrace: Shape = {
  kind: 'section',
  keys: {
    enabled: { shape: boolean },
    filePath: { shape: string, ...SIMPLIFIED },
    ...keys('includeMessages includePrompt includeSystem', { shape: boolean, ...SIMPLIFIED }),
  },
}

/** `diagnostics`. */
export const diagnosticsShape: Shape = {
  kind: 'section',
  keys: {
    enabled: { shape: boolean },
    flags: { shape: strings },
    stuckSessionWarnMs: { shape: { kind: 'number', whole: true, above: 0 }, went: ['2026.5.0', '2026.9.0'] },
    otel: { shape: otel },
    cacheTrace: { shape: cacheTrace },
  },
}

/** `plugins.load`. */
export const pluginLoadShape: Shape = { kind: 'section', keys: { paths: { shape: strings } } }

/** `plugins.entries.<id>`. */
export const pluginEntryShape: Shape = {
  kind: 'section',
  keys: {
    enabled: { shape: boolean },
    hooks: {
      shape: {
        kind: 'section',
        keys: {
          allowPromptInjection: { shape: boolean },
          allowConversationAccess: { shape: boolean, ...CONVERSATION_ACCESS },
          timeoutMs: { shape: timeout },
          timeouts: { shape: { kind: 'map', of: timeout } },
        },
      },
    },
    subagent: {
      shape: { kind: 'section', keys: { allowModelOverride: { shape: boolean }, allowedModels: { shape: strings } } },
    },
    llm: {
      shape: {
        kind: 'section',
        keys: {
          ...keys('allowModelOverride allowAuthProfileOverride allowAgentIdOverride', { shape: boolean }),
          ...keys('allowedModels allowedCompletionModels', { shape: strings }),
        },
      },
    },
    config: { shape: { kind: 'map', of: anything } },
  },
}
