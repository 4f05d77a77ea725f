import { type LogRecord, openDraft, type Payload } from '#core/data'
import { aLog, logsOf, type PlainAttributes, payloadOf } from '#core/testing'
import type { FormatName, MappingOptions } from './format.ts'
import { createMapping, fromLogRecord, type SecurityEvent } from './security-event.ts'
import { SourceReader } from './source.ts'

/** 2026-01-01T00:00:05Z in milliseconds: when the tests' collector lives. */
export const NOW = Date.UTC(2026, 0, 1, 0, 0, 5)

export function mappingOf(format: FormatName, over: Partial<MappingOptions> = {}) {
  return createMapping({
    format,
    defaultAttributes: {},
    prefixes: { resource: '', log: '' },
    gatewayPrefix: 'openclaw',
    product: { vendor: 'Millrace', name: 'millrace', version: '1.0' },
    now: () => NOW,
    ...over,
  })
}

/** Every event of a payload. */
export function eventsOf(payload: Payload<'logs'>, mapping = mappingOf('flat')): SecurityEvent[] {
  const sources = new SourceReader()
  return [...openDraft(payload).logs()].map((record: LogRecord) =>
    fromLogRecord(record, record.resource, record.scope, mapping, sources),
  )
}

type Log = Parameters<typeof aLog>[0]
interface Around {
  readonly resource?: PlainAttributes
  readonly scope?: string
  readonly scopeVersion?: string
}

/** A payload of these log records under one source. */
export function logPayload(records: readonly Log[], around: Around = {}): Payload<'logs'> {
  return payloadOf(
    'logs',
    logsOf(
      records.map(record => aLog(record)),
      around,
    ),
  )
}

/** The event of one record, parsed where it is JSON. */
export function eventOf(
  record: Log,
  format: FormatName = 'flat',
  around: Around = {},
  over: Partial<MappingOptions> = {},
) {
  const [event] = eventsOf(logPayload([record], around), mappingOf(format, over))
  return {
    ...event!,
    json: (format === 'cef' || format === 'leef' ? {} : JSON.parse(event!.text)) as Record<string, unknown>,
  }
}
