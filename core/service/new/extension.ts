import type { Template } from './template.ts'

/** An extension that answers at a path of the `api` extension. */
export const extensionTemplate: Template = {
  does: 'Tells over HTTP for how long the collector has been running.',
  attempt: ['curl http://localhost:8080/uptime'],

  component: ({ type, variable }) => `import { defineExtension, t } from 'millrace/component'

const config = t.section({
  path: t.string({ default: '/uptime', description: 'Where the api extension answers.' }),
})

/** Tells over HTTP for how long the collector has been running. */
export const ${variable} = defineExtension({
  type: '${type}',
  description: 'Tells over HTTP for how long the collector has been running.',
  stability: 'development',
  config,
  create({ path }, { clock }) {
    let started = clock.monotonic()
    return {
      async start() {
        started = clock.monotonic()
      },
      routes: [
        {
          method: 'GET',
          path,
          summary: 'For how long the collector has been running, in seconds',
          handle: () => ({ body: { seconds: (clock.monotonic() - started) / 1000 } }),
        },
      ],
    }
  },
})
`,

  test: ({ variable, module }) => `import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { runExtension } from 'millrace/testing'
import { ${variable} } from '${module}'

test('tells the seconds since the start', async () => {
  await using subject = await runExtension(${variable}, { path: '/up' })
  await subject.context.fakeClock.advance(2_500)
  const [route] = subject.component.routes ?? []
  deepEqual(await route?.handle({ params: {}, query: {}, body: undefined, headers: {} }), { body: { seconds: 2.5 } })
})
`,

  config: ({ type, file }) => `receivers:
  otlp:
    protocols:
      http:
exporters:
  debug:
extensions:
  api:
  ${type}:
service:
  components: [./${file}.ts]
  extensions: [api, ${type}]
  pipelines:
    traces: { receivers: [otlp], exporters: [debug] }
`,
}
