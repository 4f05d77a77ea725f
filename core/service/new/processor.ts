import { SEND_A_SPAN, type Template } from './template.ts'

/** A processor that replaces the values of attributes. */
export const processorTemplate: Template = {
  does: 'Replaces the values of attributes.',
  attempt: SEND_A_SPAN,

  component: ({ type, variable }) => `import { defineProcessor, t } from 'millrace/component'

const config = t.section({
  keys: t.list(t.string({ description: 'The name of an attribute.' }), {
    default: [],
    description: 'Names of the attributes whose values are replaced.',
  }),
  replacement: t.string({ default: '****', description: 'What stands in their place.' }),
})

/** Replaces the values of attributes. */
export const ${variable} = defineProcessor({
  type: '${type}',
  description: 'Replaces the values of attributes.',
  stability: { traces: 'development', metrics: 'development', logs: 'development' },
  config,
  create: ({ keys, replacement }) => ({
    transform(draft) {
      for (const record of draft.records()) {
        for (const key of keys) record.attributes.update(key, replacement)
      }
    },
  }),
})
`,

  test: ({ variable, module }) => `import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { aSpan, payloadOf, runProcessor, tracesOf } from 'millrace/testing'
import { ${variable} } from '${module}'

test('replaces the values of the attributes that are named, and no others', async () => {
  await using subject = await runProcessor(${variable}, 'traces', { keys: ['card', 'absent'] })
  await subject.consume(payloadOf('traces', tracesOf([aSpan({ attributes: { card: '4111 1111', shop: 'a' } })])))
  deepEqual(subject.records()[0]?.attributes, { card: '****', shop: 'a' })
})
`,

  config: ({ type, file }) => `receivers:
  otlp:
    protocols:
      http:
processors:
  ${type}:
    keys: [card]
exporters:
  debug:
    verbosity: detailed
service:
  components: [./${file}.ts]
  pipelines:
    traces: { receivers: [otlp], processors: [${type}], exporters: [debug] }
`,
}
