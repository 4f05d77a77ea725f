import type { Template } from './template.ts'

/** A connector that makes a log record for each span that failed. */
export const connectorTemplate: Template = {
  does: 'Makes a log record for each span that failed.',
  attempt: [],

  component: ({ type, variable }) => `import { build, defineConnector, openDraft, t } from 'millrace/component'

const config = t.section({
  severity: t.string({ default: 'ERROR', description: 'The severity text of the records.' }),
})

const FAILED = 2

/** Makes a log record for each span that failed. */
export const ${variable} = defineConnector({
  type: '${type}',
  description: 'Makes a log record for each span that failed.',
  stability: { traces: { logs: 'development' } },
  config,
  create: ({ severity }, _from, _to, next, { ledger }) => ({
    async consume(payload, context) {
      const records = [...openDraft(payload).spans()]
        .filter(span => span.status.code === FAILED)
        .map(span => ({
          timeUnixNano: span.endTime,
          severityText: severity,
          traceId: span.traceIdHex(),
          spanId: span.spanIdHex(),
          body: { stringValue: \`\${span.name}: \${span.status.message}\` },
        }))
      if (records.length === 0) return
      ledger.created('logs', records.length)
      await next.consume(build('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] }), context)
    },
  }),
})
`,

  test: ({ variable, module }) => `import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { aSpan, payloadOf, runConnector, tracesOf } from 'millrace/testing'
import { ${variable} } from '${module}'

test('makes a record for each span that failed', async () => {
  await using subject = await runConnector(${variable}, 'traces', 'logs', {})
  const spans = [aSpan({ name: 'pay', status: { code: 2, message: 'no money' } }), aSpan({ name: 'ship' })]
  await subject.consume(payloadOf('traces', tracesOf(spans)))
  deepEqual(
    subject.records().map(record => record.body),
    ['pay: no money'],
  )
})
`,

  config: ({ type, file }) => `receivers:
  otlp:
    protocols:
      http:
connectors:
  ${type}:
exporters:
  debug:
    verbosity: detailed
service:
  components: [./${file}.ts]
  pipelines:
    traces: { receivers: [otlp], exporters: [${type}] }
    logs: { receivers: [${type}], exporters: [debug] }
`,
}
