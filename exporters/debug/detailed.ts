/** The texts of verbosity `detailed`: every field of every record on a line of its own. @module */
import { detailedMetric } from './detailed-metric.ts'
import type { LogsJson, MetricsJson, ResourceJson, ScopeJson, SpanJson, TracesJson } from './otlp-json.ts'
import { TextLines } from './text-lines.ts'
import { idText, SEVERITY, SPAN_KIND, STATUS_CODE, timeText, typedText, wordFor } from './words.ts'

export function detailedTraces({ resourceSpans = [] }: TracesJson): string {
  const out = new TextLines()
  for (const [i, resource] of resourceSpans.entries()) {
    writeResource(out, `ResourceSpans #${i}`, resource)
    for (const [j, scope] of (resource.scopeSpans ?? []).entries()) {
      writeScope(out, 'ScopeSpans', j, scope)
      for (const [k, span] of (scope.spans ?? []).entries()) writeSpan(out, k, span)
    }
  }
  return out.text()
}

export function detailedLogs({ resourceLogs = [] }: LogsJson): string {
  const out = new TextLines()
  for (const [i, resource] of resourceLogs.entries()) {
    writeResource(out, `ResourceLog #${i}`, resource)
    for (const [j, scope] of (resource.scopeLogs ?? []).entries()) {
      writeScope(out, 'ScopeLogs', j, scope)
      for (const [k, log] of (scope.logRecords ?? []).entries()) {
        out.line(`LogRecord #${k}`)
        out.line(`ObservedTimestamp: ${timeText(log.observedTimeUnixNano)}`)
        out.line(`Timestamp: ${timeText(log.timeUnixNano)}`)
        out.line(`SeverityText: ${log.severityText ?? ''}`)
        out.line(`SeverityNumber: ${wordFor(SEVERITY, log.severityNumber)}(${log.severityNumber ?? 0})`)
        if (log.eventName) out.line(`EventName: ${log.eventName}`)
        out.line(`Body: ${typedText(log.body)}`)
        out.attributes('Attributes', log.attributes)
        out.line(`Trace ID: ${idText(log.traceId)}`)
        out.line(`Span ID: ${idText(log.spanId)}`)
        out.line(`Flags: ${log.flags ?? 0}`)
      }
    }
  }
  return out.text()
}

export function detailedMetrics({ resourceMetrics = [] }: MetricsJson): string {
  const out = new TextLines()
  for (const [i, resource] of resourceMetrics.entries()) {
    writeResource(out, `ResourceMetrics #${i}`, resource)
    for (const [j, scope] of (resource.scopeMetrics ?? []).entries()) {
      writeScope(out, 'ScopeMetrics', j, scope)
      for (const [k, metric] of (scope.metrics ?? []).entries()) detailedMetric(out, k, metric)
    }
  }
  return out.text()
}

function writeResource(out: TextLines, title: string, { schemaUrl, resource = {} }: ResourceJson): void {
  out.line(title)
  out.line(`Resource SchemaURL: ${schemaUrl ?? ''}`)
  out.attributes('Resource attributes', resource.attributes)
  const { entityRefs = [] } = resource
  if (entityRefs.length > 0) out.line('Resource entity refs:')
  for (const [i, entity] of entityRefs.entries()) {
    out.line(`     -> Entity ref #${i}:`)
    out.line(`          -> Type: ${entity.type ?? ''}`)
    if (entity.schemaUrl) out.line(`          -> Schema URL: ${entity.schemaUrl}`)
    out.list('          -> ID keys', entity.idKeys)
    out.list('          -> Description keys', entity.descriptionKeys)
  }
}

function writeScope(out: TextLines, title: string, i: number, { schemaUrl, scope = {} }: ScopeJson): void {
  out.line(`${title} #${i}`)
  out.line(`${title} SchemaURL: ${schemaUrl ?? ''}`)
  out.line(`InstrumentationScope ${scope.name ?? ''} ${scope.version ?? ''}`)
  out.attributes('InstrumentationScope attributes', scope.attributes)
}

function writeSpan(out: TextLines, i: number, span: SpanJson): void {
  out.line(`Span #${i}`)
  out.field('Trace ID', idText(span.traceId))
  out.field('Parent ID', idText(span.parentSpanId))
  out.field('ID', idText(span.spanId))
  out.field('Name', span.name ?? '')
  out.field('Kind', wordFor(SPAN_KIND, span.kind))
  if (span.traceState) out.field('TraceState', span.traceState)
  out.field('Start time', timeText(span.startTimeUnixNano))
  out.field('End time', timeText(span.endTimeUnixNano))
  out.field('Status code', wordFor(STATUS_CODE, span.status?.code))
  out.field('Status message', span.status?.message ?? '')
  out.field('DroppedAttributesCount', span.droppedAttributesCount ?? 0)
  out.field('DroppedEventsCount', span.droppedEventsCount ?? 0)
  out.field('DroppedLinksCount', span.droppedLinksCount ?? 0)
  out.attributes('Attributes', span.attributes)
  const { events = [], links = [] } = span
  if (events.length > 0) out.line('Events:')
  for (const [j, event] of events.entries()) {
    out.line(`SpanEvent #${j}`)
    out.line(`     -> Name: ${event.name ?? ''}`)
    out.line(`     -> Timestamp: ${timeText(event.timeUnixNano)}`)
    out.line(`     -> DroppedAttributesCount: ${event.droppedAttributesCount ?? 0}`)
    out.attributes('     -> Attributes:', event.attributes)
  }
  if (links.length > 0) out.line('Links:')
  for (const [j, link] of links.entries()) {
    out.line(`SpanLink #${j}`)
    out.line(`     -> Trace ID: ${idText(link.traceId)}`)
    out.line(`     -> ID: ${idText(link.spanId)}`)
    out.line(`     -> TraceState: ${link.traceState ?? ''}`)
    out.line(`     -> DroppedAttributesCount: ${link.droppedAttributesCount ?? 0}`)
    out.attributes('     -> Attributes:', link.attributes)
  }
}
