import type { Template } from './template.ts'

/** A receiver that makes a log record at regular times. */
export const receiverTemplate: Template = {
  does: 'Makes a log record at regular times.',
  attempt: [],

  component: ({ type, variable }) => `import { build, defineReceiver, NO_CONTEXT, t } from 'millrace/component'

const config = t.section({
  interval: t.duration({ default: '1s', description: 'Time between two records.' }),
  text: t.string({ default: 'still here', description: 'The body of each record.' }),
})

/** Makes a log record at regular times. */
export const ${variable} = defineReceiver({
  type: '${type}',
  description: 'Makes a log record at regular times.',
  stability: { logs: 'development' },
  config,
  *check({ interval }) {
    if (interval <= 0) yield 'interval: must be above zero'
  },
  create({ interval, text }, next, { clock, logger }) {
    const ended = new AbortController()
    let work = Promise.resolve()
    const repeat = async () => {
      while (!ended.signal.aborted) {
        await clock.sleep(interval, ended.signal).catch(() => {})
        if (ended.signal.aborted) return
        const record = { timeUnixNano: BigInt(clock.now()) * 1_000_000n, body: { stringValue: text } }
        const logs = build('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
        // Who has the record now, or why nobody took it: a real source would keep it and try again.
        await next.logs?.consume(logs, NO_CONTEXT).catch(error => logger.warn('Record lost', { error }))
      }
    }
    return {
      async start() {
        work = repeat()
      },
      async shutdown() {
        ended.abort()
        await work
      },
    }
  },
})
`,

  test: ({ variable, module }) => `import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { runReceiver } from 'millrace/testing'
import { ${variable} } from '${module}'

test('makes a record whenever the interval is over', async () => {
  await using subject = await runReceiver(${variable}, { interval: '10s', text: 'hello' })
  await subject.context.fakeClock.advance(25_000)
  deepEqual(
    subject.records().map(record => record.body),
    ['hello', 'hello'],
  )
})
`,

  config: ({ type, file }) => `receivers:
  ${type}:
    interval: 2s
exporters:
  debug:
    verbosity: detailed
service:
  components: [./${file}.ts]
  pipelines:
    logs: { receivers: [${type}], exporters: [debug] }
`,
}
