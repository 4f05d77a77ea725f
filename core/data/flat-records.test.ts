import { expect, test } from 'vitest'
import { build } from './builder.ts'
import { flatRecords } from './flat-records.ts'
import { plainAttributes } from './index.ts'

test('attributes are values of JavaScript', () => {
  const attributes = plainAttributes({
    text: 'a',
    whole: 1,
    part: 1.5,
    long: 9_007_199_254_740_993n,
    yes: true,
    none: null,
    bytes: new Uint8Array([1, 2, 3]),
    list: ['a', 1],
    map: { inner: [true] },
  })
  const [record] = flatRecords(build('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] }))
  expect(record!.attributes).toEqual({
    text: 'a',
    whole: 1,
    part: 1.5,
    long: 9_007_199_254_740_993n,
    yes: true,
    none: null,
    bytes: 'AQID',
    list: ['a', 1],
    map: { inner: [true] },
  })
})

test('each record has its resource and scope, events and links are flat too', () => {
  const attributes = plainAttributes({ a: 1 })
  const span = (name: string) => ({ name, events: [{ name: 'e', attributes }], links: [{ attributes }] })
  const scopes = ['one', 'two'].map(name => ({
    scope: { name, version: '1', attributes },
    spans: [span(`of ${name}`)],
  }))
  const payload = build('traces', { resourceSpans: [{ resource: { attributes }, scopeSpans: scopes }] })
  expect(flatRecords(payload)).toMatchObject(
    ['one', 'two'].map(name => ({
      name: `of ${name}`,
      resource: { a: 1 },
      scope: { name, version: '1', attributes: { a: 1 } },
      events: [{ name: 'e', attributes: { a: 1 } }],
      links: [{ attributes: { a: 1 } }],
    })),
  )
})

test.each(['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'])('data points of a %s', kind => {
  const metric = { name: 'm', unit: 's', [kind]: { dataPoints: [{ timeUnixNano: '1' }, { timeUnixNano: '2' }] } }
  const payload = build('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] })
  expect(flatRecords(payload)).toMatchObject(
    ['1', '2'].map(timeUnixNano => ({ timeUnixNano, metric: { name: 'm', unit: 's', description: '', kind } })),
  )
})
