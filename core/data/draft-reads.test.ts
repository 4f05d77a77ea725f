import { describe, expect, test } from 'vitest'
import { admit } from './admit.ts'
import { openDraft } from './draft.ts'
import { canonical, Message, NaiveDraft, printed, serialise } from './naive.test-support.ts'
import { decoded, itemsOf, OTLP_SIGNALS, type OtlpSignal, RandomRequests } from './otlp.test-support.ts'
import type { Attributes, DataPoint, LogRecord, Metric, Span } from './records.ts'

type Plain = Record<string, unknown>
/** A question to a record and the answer that protobufjs has. */
type Question = [() => unknown, unknown]

const list = (of: unknown): Plain[] => (of ?? []) as Plain[]
const bytes = (of: unknown): Buffer => Buffer.from(String(of ?? 'hex:').slice(4), 'hex')
const long = (of: unknown): bigint => BigInt((of ?? 0) as string)
const number = (of: unknown): number => (of ?? 0) as number
const text = (of: unknown): string => (of ?? '') as string
const longs = (of: unknown): bigint[] => list(of).map(long)

function plainValue(any: unknown): unknown {
  const value = (any ?? {}) as Plain
  if (value.arrayValue) return list((value.arrayValue as Plain).values).map(plainValue)
  if (value.kvlistValue) {
    const map: Plain = {}
    for (const pair of list((value.kvlistValue as Plain).values)) {
      if (!(text(pair.key) in map)) map[text(pair.key)] = plainValue(pair.value)
    }
    return map
  }
  if (value.bytesValue !== undefined) return bytes(value.bytesValue)
  if (value.intValue === undefined) return value.stringValue ?? value.boolValue ?? value.doubleValue ?? null
  const int = long(value.intValue)
  return Number.isSafeInteger(Number(int)) ? Number(int) : int
}

function attributes(real: Attributes, plain: unknown): Question[] {
  const pairs = list(plain).map(pair => [text(pair.key), plainValue(pair.value)] as const)
  return [
    [() => [...real], pairs],
    [() => real.size, pairs.length],
    ...pairs.map(([name]): Question => [() => real.get(name), pairs.find(pair => pair[0] === name)![1]]),
    [() => real.get('not there'), undefined],
  ]
}

function spanQuestions(span: Span, plain: Plain): Question[] {
  const status = (plain.status ?? {}) as Plain
  const start = long(plain.startTimeUnixNano)
  return [
    [() => span.name, text(plain.name)],
    [() => span.kind, number(plain.kind)],
    [() => span.traceId, bytes(plain.traceId)],
    [() => span.spanId, bytes(plain.spanId)],
    [() => span.parentSpanId, bytes(plain.parentSpanId)],
    [() => span.traceIdHex(), bytes(plain.traceId).toString('hex')],
    [() => span.spanIdHex(), bytes(plain.spanId).toString('hex')],
    [() => span.traceState, text(plain.traceState)],
    [() => span.flags, number(plain.flags)],
    [() => span.startTime, start],
    [() => span.endTime, long(plain.endTimeUnixNano)],
    [() => span.durationNanos, Number(long(plain.endTimeUnixNano) - start)],
    [() => span.status, { code: number(status.code), message: text(status.message) }],
    [
      () => [...span.events].map(event => [event.name, event.time, [...event.attributes].length]),
      list(plain.events).map(event => [text(event.name), long(event.timeUnixNano), list(event.attributes).length]),
    ],
    [
      () => [...span.links].map(link => [link.traceId, link.spanId, link.traceState, link.attributes.size]),
      list(plain.links).map(link => [
        bytes(link.traceId),
        bytes(link.spanId),
        text(link.traceState),
        list(link.attributes).length,
      ]),
    ],
  ]
}

function logQuestions(log: LogRecord, plain: Plain): Question[] {
  return [
    [() => log.time, long(plain.timeUnixNano)],
    [() => log.observedTime, long(plain.observedTimeUnixNano)],
    [() => log.severityNumber, number(plain.severityNumber)],
    [() => log.severityText, text(plain.severityText)],
    [() => log.body, plain.body === undefined ? undefined : plainValue(plain.body)],
    [() => log.eventName, text(plain.eventName)],
    [() => log.traceIdHex(), bytes(plain.traceId).toString('hex')],
    [() => log.spanIdHex(), bytes(plain.spanId).toString('hex')],
    [() => log.traceId, bytes(plain.traceId)],
    [() => log.spanId, bytes(plain.spanId)],
    [() => log.flags, number(plain.flags)],
  ]
}

const TYPES = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const
const UNDERSCORED = { gauge: 'gauge', sum: 'sum', histogram: 'histogram', summary: 'summary' } as const

function metricQuestions(metric: Metric, plain: Plain): Question[] {
  const type = TYPES.find(name => plain[name] !== undefined)
  const data = (type === undefined ? {} : plain[type]) as Plain
  const shown = type === undefined ? 'empty' : type in UNDERSCORED ? type : 'exponential_histogram'
  return [
    [() => metric.name, text(plain.name)],
    [() => metric.unit, text(plain.unit)],
    [() => metric.description, text(plain.description)],
    [() => metric.type, shown],
    [() => metric.temporality, number(data.aggregationTemporality)],
    [() => metric.monotonic, data.isMonotonic ?? false],
    [() => [...metric.points].length, list(data.dataPoints).length],
  ]
}

function buckets(of: unknown): unknown {
  const { offset, bucketCounts } = (of ?? {}) as Plain
  return { offset: number(offset), bucketCounts: longs(bucketCounts) }
}

function pointQuestions(point: DataPoint, plain: Plain, type: string): Question[] {
  const is = (...types: string[]) => types.includes(type)
  const histogram = is('histogram', 'exponential_histogram')
  const scalar = is('gauge', 'sum')
  return [
    [() => point.metric.type, type],
    [() => point.startTime, long(plain.startTimeUnixNano)],
    [() => point.time, long(plain.timeUnixNano)],
    [() => point.flags, number(plain.flags)],
    [() => point.value, scalar ? (plain.asInt === undefined ? plain.asDouble : long(plain.asInt)) : undefined],
    [() => point.count, scalar ? undefined : long(plain.count)],
    [() => point.sum, is('summary') ? number(plain.sum) : plain.sum],
    [() => point.min, plain.min],
    [() => point.max, plain.max],
    [() => point.explicitBounds, plain.explicitBounds ?? []],
    [() => point.bucketCounts, longs(plain.bucketCounts)],
    [() => point.scale, number(plain.scale)],
    [() => point.zeroCount, long(plain.zeroCount)],
    [() => point.zeroThreshold, number(plain.zeroThreshold)],
    [() => point.positive, buckets(plain.positive)],
    [() => point.negative, buckets(plain.negative)],
    [
      () => point.quantiles,
      list(plain.quantileValues).map(at => ({ quantile: number(at.quantile), value: number(at.value) })),
    ],
    [
      () => [...point.exemplars].map(at => [at.time, at.value, at.traceId, at.spanId, at.filteredAttributes.size]),
      histogram || scalar
        ? list(plain.exemplars).map(at => [
            long(at.timeUnixNano),
            at.asInt === undefined ? at.asDouble : long(at.asInt),
            bytes(at.traceId),
            bytes(at.spanId),
            list(at.filteredAttributes).length,
          ])
        : [],
    ],
  ]
}

/** All questions to all records, resources and scopes of a payload. */
function questions(signal: OtlpSignal, request: Buffer): Question[] {
  const { payload } = admit(signal, request)
  const draft = openDraft(payload)
  const plain = decoded(signal, payload.flat())
  const found: Question[] = []
  const items = itemsOf(signal, plain)
  const records = [...draft.records()]
  found.push([() => records.length, items.length], [() => draft.items, items.length])
  records.forEach((record, i) => {
    const item = items[i]!.item as Plain
    found.push(...attributes(record.attributes, item.attributes))
    if ('events' in record) found.push(...spanQuestions(record, item))
    else if ('body' in record) found.push(...logQuestions(record, item))
    else found.push(...pointQuestions(record, item, record.metric.type))
  })
  const name = { traces: 'Spans', logs: 'Logs', metrics: 'Metrics' }[signal]
  const entries = list(plain[`resource${name}`])
  const scopes = entries.flatMap(entry => list(entry[`scope${name}`]))
  const resources = [...draft.resources()]
  resources.forEach((resource, i) => {
    found.push(...attributes(resource.attributes, (entries[i]!.resource as Plain | undefined)?.attributes))
    found.push([() => resource.schemaUrl, text(entries[i]!.schemaUrl)])
  })
  resources
    .flatMap(resource => [...resource.scopes])
    .forEach((scope, i) => {
      const inner = (scopes[i]!.scope ?? {}) as Plain
      found.push(...attributes(scope.attributes, inner.attributes))
      found.push([() => [scope.name, scope.version], [text(inner.name), text(inner.version)]])
      found.push([() => scope.schemaUrl, text(scopes[i]!.schemaUrl)])
    })
  if (signal === 'metrics') {
    const metrics = scopes.flatMap(scope => list(scope.metrics))
    ;[...draft.metrics()].forEach((metric, i) => {
      found.push(...metricQuestions(metric, metrics[i]!))
    })
  }
  return found
}

function check(questionsInOrder: Question[]): void {
  for (const [ask, answer] of questionsInOrder) {
    const found = printed(ask())
    if (found !== printed(answer)) expect(`${ask}: ${found}`).toBe(printed(answer))
  }
}

function shuffle<T>(random: RandomRequests, values: T[]): T[] {
  for (let i = values.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[values[i], values[j]] = [values[j]!, values[i]!]
  }
  return values
}

/** The same message with its fields, and those inside it, in another order; repeated ones keep theirs. */
function reordered(random: RandomRequests, message: Message): Message {
  const numbers = shuffle(random, [...new Set(message.parts.map(part => part.number))])
  message.parts.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number))
  for (const { content } of message.parts) if (content instanceof Message) reordered(random, content)
  return message
}

describe.for(OTLP_SIGNALS)('every field of %s', signal => {
  test('reads as protobufjs reads it, in whatever order it is asked for', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new RandomRequests(seed)
      // Two drafts at a time: they share the table of locations.
      const both = [random.request(signal), random.request(signal)].flatMap(request => questions(signal, request))
      check(both)
      check(shuffle(random, both))
    }
  })

  test('reads the same in any order of the fields', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = new RandomRequests(seed)
      const request = random.request(signal)
      const original = new NaiveDraft(signal, admit(signal, request).payload.flat()).root
      const before = canonical(original)
      const shuffled = reordered(random, original)
      expect(canonical(shuffled)).toBe(before)
      check(questions(signal, serialise(shuffled)))
    }
  })
})
