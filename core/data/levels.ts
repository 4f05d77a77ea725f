import type { Signal } from './signal.ts'

/**
 * The messages of OTLP that are walked or edited in place, as small numbers ("levels"). Everything else in a message is
 * read where it lies. Field numbers are those of opentelemetry-proto v1.
 */
export const TRACES = 1
export const METRICS = 2
export const LOGS = 3
export const PROFILES = 4
export const RESOURCE_SPANS = 5
export const RESOURCE_METRICS = 6
export const RESOURCE_LOGS = 7
export const RESOURCE_PROFILES = 8
export const SCOPE_SPANS = 9
export const SCOPE_METRICS = 10
export const SCOPE_LOGS = 11
export const SCOPE_PROFILES = 12
export const METRIC = 13
export const GAUGE = 14
export const SUM = 15
export const HISTOGRAM = 16
export const EXPONENTIAL_HISTOGRAM = 17
export const SUMMARY = 18
export const SPAN = 19
export const LOG_RECORD = 20
export const NUMBER_POINT = 21
export const HISTOGRAM_POINT = 22
export const EXPONENTIAL_POINT = 23
export const SUMMARY_POINT = 24
export const RESOURCE = 25
export const SCOPE = 26
export const EVENT = 27
export const LINK = 28
export const EXEMPLAR = 29
const LEVELS = 30

/** Depth of a level on the way from the request to its records; what is not on the way has rank `ASIDE`. */
export const REQUEST_RANK = 0
export const ENTRY_RANK = 1
export const SCOPE_RANK = 2
export const METRIC_RANK = 3
export const DATA_RANK = 4
export const RECORD_RANK = 5
export const ASIDE = 6

/** The rank of each level. */
export const RANK = new Uint8Array(LEVELS).fill(ASIDE)
/** The tag of the attributes of each level, 0 for none. */
export const ATTRIBUTES_TAG = new Uint8Array(LEVELS)
/** At `128 * level + tag`: the level of the message in the field with this tag, 0 when it is not one of the above. */
export const CHILD_LEVEL = new Uint8Array(LEVELS * 128)

/** The level of a request of each signal. */
export const REQUEST_LEVEL: Readonly<Record<Signal, number>> = {
  traces: TRACES,
  metrics: METRICS,
  logs: LOGS,
  profiles: PROFILES,
}

function declare(rank: number, attributesField: number, levels: readonly number[]): void {
  for (const level of levels) {
    RANK[level] = rank
    ATTRIBUTES_TAG[level] = attributesField === 0 ? 0 : (attributesField << 3) | 2
  }
}

function nest(parent: number, field: number, child: number): void {
  CHILD_LEVEL[parent * 128 + ((field << 3) | 2)] = child
}

declare(REQUEST_RANK, 0, [TRACES, METRICS, LOGS, PROFILES])
declare(ENTRY_RANK, 0, [RESOURCE_SPANS, RESOURCE_METRICS, RESOURCE_LOGS, RESOURCE_PROFILES])
declare(SCOPE_RANK, 0, [SCOPE_SPANS, SCOPE_METRICS, SCOPE_LOGS, SCOPE_PROFILES])
declare(METRIC_RANK, 0, [METRIC])
declare(DATA_RANK, 0, [GAUGE, SUM, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY])
declare(RECORD_RANK, 9, [SPAN, HISTOGRAM_POINT])
declare(RECORD_RANK, 6, [LOG_RECORD])
declare(RECORD_RANK, 7, [NUMBER_POINT, SUMMARY_POINT])
declare(RECORD_RANK, 1, [EXPONENTIAL_POINT])
declare(ASIDE, 1, [RESOURCE])
declare(ASIDE, 3, [SCOPE, EVENT])
declare(ASIDE, 4, [LINK])
declare(ASIDE, 7, [EXEMPLAR])

for (const [request, entry, scope] of [
  [TRACES, RESOURCE_SPANS, SCOPE_SPANS],
  [METRICS, RESOURCE_METRICS, SCOPE_METRICS],
  [LOGS, RESOURCE_LOGS, SCOPE_LOGS],
  [PROFILES, RESOURCE_PROFILES, SCOPE_PROFILES],
] as const) {
  nest(request, 1, entry)
  nest(entry, 1, RESOURCE)
  nest(entry, 2, scope)
  nest(scope, 1, SCOPE)
}
nest(SCOPE_SPANS, 2, SPAN)
nest(SCOPE_LOGS, 2, LOG_RECORD)
nest(SCOPE_METRICS, 2, METRIC)
for (const [field, data, point] of [
  [5, GAUGE, NUMBER_POINT],
  [7, SUM, NUMBER_POINT],
  [9, HISTOGRAM, HISTOGRAM_POINT],
  [10, EXPONENTIAL_HISTOGRAM, EXPONENTIAL_POINT],
  [11, SUMMARY, SUMMARY_POINT],
] as const) {
  nest(METRIC, field, data)
  nest(data, 1, point)
}
nest(SPAN, 11, EVENT)
nest(SPAN, 13, LINK)
nest(NUMBER_POINT, 5, EXEMPLAR)
nest(HISTOGRAM_POINT, 8, EXEMPLAR)
nest(EXPONENTIAL_POINT, 11, EXEMPLAR)
