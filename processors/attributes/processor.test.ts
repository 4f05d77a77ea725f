import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { openDraft, type Payload, type Signal } from '#core/data'
import {
  aLog,
  aPoint,
  aSpan,
  configure,
  decodePayload,
  logsOf,
  metricsOf,
  type Otlp,
  payloadOf,
  testContext,
  tracesOf,
} from '#core/testing'
import { attributesConfig, checkAttributesConfig } from './config.ts'
import { AttributesProcessor } from './processor.ts'

const MARK = [{ key: 'marked', action: 'insert', value: true }]

function processed(written: object, payload: Payload): Payload {
  const config = configure(attributesConfig, { actions: MARK, ...written })
  const processor = new AttributesProcessor(config, payload.signal, testContext())
  const draft = openDraft(payload)
  processor.transform(draft, NO_CONTEXT)
  return draft.seal()
}

/** The names of the records that the processor changed. */
function marked(written: object, payload: Payload): string[] {
  const names: string[] = []
  const walk = (value: unknown) => {
    if (value === null || typeof value !== 'object') return
    const { attributes } = value as { attributes?: { key: string; value: Otlp }[] }
    if (attributes?.some(({ key }) => key === 'marked')) {
      names.push(String(attributes.find(({ key }) => key === 'id')?.value.stringValue))
    }
    for (const child of Object.values(value)) walk(child)
  }
  walk(decodePayload(processed(written, payload)))
  return names
}

const id = (name: string, attributes: object = {}) => ({ attributes: { id: name, ...attributes } })

const SPANS = payloadOf('traces', {
  resourceSpans: [
    ...(tracesOf(
      [
        aSpan({ name: 'login', kind: 2, ...id('1', { env: 'dev', ok: true, n: 1, x: 1.5 }) }),
        aSpan({ name: 'logout', kind: 3, ...id('2', { env: 'prod', ok: false, n: 2, tags: ['a', 1] }) }),
      ],
      { resource: { 'service.name': 'auth', 'host.type': 'small' }, scope: 'http', scopeVersion: '1.2' },
    ).resourceSpans as Otlp[]),
    ...(tracesOf([aSpan({ name: 'SELECT', kind: 1, ...id('3', { n: '1' }) })], {
      resource: { 'service.name': 'db' },
      scope: 'jdbc',
      scopeVersion: '',
    }).resourceSpans as Otlp[]),
    ...(tracesOf([aSpan({ name: 'cron', kind: 0, ...id('4') })], { resource: {}, scope: 'http', scopeVersion: '2.0' })
      .resourceSpans as Otlp[]),
  ],
})

describe('spans are included', () => {
  test.each([
    ['by the name of the service', { services: ['auth'] }, ['1', '2']],
    ['by any of several', { services: ['auth', 'db'] }, ['1', '2', '3']],
    ['by the name that stands for none', { services: ['<nil-service-name>'] }, ['4']],
    ['by name', { span_names: ['login', 'SELECT'] }, ['1', '3']],
    ['by kind', { span_kinds: ['SPAN_KIND_SERVER'] }, ['1']],
    ['by an attribute that is there', { attributes: [{ key: 'env' }] }, ['1', '2']],
    ['by the value of an attribute', { attributes: [{ key: 'env', value: 'dev' }] }, ['1']],
    ['by a value of the same type only', { attributes: [{ key: 'n', value: 1 }] }, ['1']],
    ['by a string that looks like a number', { attributes: [{ key: 'n', value: '1' }] }, ['3']],
    ['by a double', { attributes: [{ key: 'x', value: 1.5 }] }, ['1']],
    ['by a boolean', { attributes: [{ key: 'ok', value: false }] }, ['2']],
    ['by a list', { attributes: [{ key: 'tags', value: ['a', 1] }] }, ['2']],
    ['by all of several attributes', { attributes: [{ key: 'env' }, { key: 'ok', value: true }] }, ['1']],
    ['by an attribute of the resource', { resources: [{ key: 'host.type', value: 'small' }] }, ['1', '2']],
    ['by the scope', { libraries: [{ name: 'http' }] }, ['1', '2', '4']],
    ['by the scope and its version', { libraries: [{ name: 'http', version: '1.2' }] }, ['1', '2']],
    ['by the scope without a version', { libraries: [{ name: 'jdbc', version: '' }] }, ['3']],
    ['by all conditions together', { services: ['auth'], span_names: ['logout', 'SELECT'] }, ['2']],
  ])('%s', (_, conditions, expected) => {
    expect(marked({ include: { match_type: 'strict', ...conditions } }, SPANS)).toEqual(expected)
  })
})

describe('regular expressions match some part', () => {
  test.each([
    ['of the service', { services: ['^a', 'b$'] }, ['1', '2', '3']],
    ['of the name', { span_names: ['log.*'] }, ['1', '2']],
    ['of the kind', { span_kinds: ['SERVER|CLIENT'] }, ['1', '2']],
    ['of a value', { attributes: [{ key: 'env', value: 'd' }] }, ['1', '2']],
    ['of a number as text', { attributes: [{ key: 'n', value: '^1$' }] }, ['1', '3']],
    ['of a boolean as text', { attributes: [{ key: 'ok', value: 'fal' }] }, ['2']],
    ['of no list', { attributes: [{ key: 'tags', value: 'a' }] }, []],
    ['of the scope', { libraries: [{ name: 't', version: '^\\d+\\.0$' }] }, ['4']],
    ['as RE2 has them', { span_names: ['(?i)select'] }, ['3']],
  ])('%s', (_, conditions, expected) => {
    expect(marked({ include: { match_type: 'regexp', ...conditions } }, SPANS)).toEqual(expected)
  })
})

test('without conditions every record is changed', () => {
  expect(marked({}, SPANS)).toEqual(['1', '2', '3', '4'])
})

test('exclude leaves out, also of what is included', () => {
  const exclude = { match_type: 'strict', span_names: ['login'] }
  expect(marked({ exclude }, SPANS)).toEqual(['2', '3', '4'])
  expect(marked({ include: { match_type: 'regexp', services: ['auth'] }, exclude }, SPANS)).toEqual(['2'])
})

test('a payload that no condition lets through is the very same', () => {
  expect(processed({ include: { match_type: 'strict', services: ['none'] } }, SPANS)).toBe(SPANS)
})

const LOGS = payloadOf(
  'logs',
  logsOf(
    [
      aLog({ body: 'AUTH failed', severityText: 'WARN', severityNumber: 13, ...id('1') }),
      aLog({ body: { kvlistValue: { values: [] } }, severityText: 'INFO', severityNumber: 9, ...id('2', { a: 1 }) }),
      aLog({ body: 'x', severityText: '', severityNumber: 0, ...id('3') }),
    ],
    { resource: { 'service.name': 'auth' } },
  ),
)

describe('log records are included', () => {
  test.each([
    ['by the body', 'regexp', { log_bodies: ['^AUTH'] }, ['1']],
    ['by a body that is not a string', 'strict', { log_bodies: ['{}'] }, ['2']],
    ['by the severity text', 'strict', { log_severity_texts: ['INFO', 'WARN'] }, ['1', '2']],
    ['by the severity number', 'strict', { log_severity_number: { min: 13 } }, ['1']],
    ['without a severity, too', 'strict', { log_severity_number: { min: 13, match_undefined: true } }, ['1', '3']],
    ['by attributes', 'strict', { attributes: [{ key: 'a', value: 1 }] }, ['2']],
    ['by the resource', 'regexp', { resources: [{ key: 'service.name', value: 'au' }] }, ['1', '2', '3']],
  ])('%s', (_, match_type, conditions, expected) => {
    expect(marked({ include: { match_type, ...conditions } }, LOGS)).toEqual(expected)
  })
})

const METRICS = payloadOf(
  'metrics',
  metricsOf([
    { name: 'cpu.time', sum: { dataPoints: [aPoint(id('1')), aPoint(id('2'))] } },
    { name: 'cpu.load', gauge: { dataPoints: [aPoint(id('3'))] } },
    { name: 'latency', histogram: { dataPoints: [{ count: 1, attributes: aPoint(id('4')).attributes }] } },
    { name: 'size', exponentialHistogram: { dataPoints: [{ count: 1, attributes: aPoint(id('5')).attributes }] } },
    { name: 'quantile', summary: { dataPoints: [{ count: 1, attributes: aPoint(id('6')).attributes }] } },
  ]),
)

describe('data points', () => {
  test('of every kind are changed', () => {
    expect(marked({}, METRICS)).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test.each([
    ['the name of the metric', { metric_names: ['^cpu', 'size'] }, ['1', '2', '3', '5']],
    ['the resource', { resources: [{ key: 'service.name', value: 'other' }] }, []],
    ['both', { metric_names: ['cpu.load'], resources: [{ key: 'service.name' }] }, ['3']],
  ])('are included by %s', (_, conditions, expected) => {
    expect(marked({ include: { match_type: 'regexp', ...conditions } }, METRICS)).toEqual(expected)
  })
})

describe('conditions of another signal are refused:', () => {
  const metrics =
    '"span_names", "span_kinds", "log_bodies", "log_severity_texts", "log_severity_number", "services", "attributes" and "libraries" are not valid for metrics'
  const logs = 'services, span_names, span_kinds and metric_names are not valid for log records'
  test.each([
    ['traces', { log_bodies: ['x'] }, 'log_bodies should not be specified for trace spans'],
    ['traces', { log_severity_number: {} }, 'log_severity_number should not be specified for trace spans'],
    ['traces', { metric_names: ['x'] }, 'metric_names should not be specified for trace spans'],
    ['traces', {}, 'at least one of "attributes", "libraries",  or "resources" field must be specified'],
    [
      'traces',
      { span_kinds: ['SERVER'] },
      'span_kinds string must match one of the standard span kinds when match_type=strict: [SPAN_KIND_CLIENT SPAN_KIND_CONSUMER SPAN_KIND_INTERNAL SPAN_KIND_PRODUCER SPAN_KIND_SERVER]',
    ],
    ['logs', { services: ['x'] }, logs],
    ['logs', { metric_names: ['x'] }, logs],
    ['metrics', { attributes: [{ key: 'x' }] }, metrics],
    ['metrics', { services: ['x'] }, metrics],
    ['metrics', {}, 'at least one of "metric_names" or "resources" field must be specified'],
  ] as const)('%s %j', (signal, conditions, fault) => {
    const written = { actions: MARK, include: { match_type: 'strict', ...conditions } }
    const config = configure(attributesConfig, written)
    expect(() => new AttributesProcessor(config, signal as Signal, testContext())).toThrow(fault)
  })
})

describe('the configuration', () => {
  test.each([
    [{ actions: [] }, 'missing required field "actions"'],
    [
      { include: { match_type: 'strict', attributes: [{ value: 1 }] } },
      "include: can't have empty key in the list of attributes",
    ],
    [
      { exclude: { match_type: 'regexp', resources: [{ key: 'a', value: 1 }] } },
      'exclude: match_type=regexp for "a" only supports Str, but found Int',
    ],
    [{ include: { match_type: 'regexp', span_names: ['('] } }, 'include: error parsing regexp: missing closing ): `(`'],
    [
      { include: { match_type: 'regexp', libraries: [{ name: 'x', version: '[' }] } },
      'include: error parsing regexp: missing closing ]: `[`',
    ],
  ])('%j is refused', (written, fault) => {
    expect([...checkAttributesConfig(configure(attributesConfig, { actions: MARK, ...written }))]).toEqual([fault])
  })

  test('must say how to match', () => {
    expect(() => configure(attributesConfig, { actions: MARK, include: { services: ['x'] } })).toThrow('match_type')
  })
})
