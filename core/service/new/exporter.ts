import { SEND_A_SPAN, type Template } from './template.ts'

/** An exporter that posts telemetry as JSON. */
export const exporterTemplate: Template = {
  does: 'Posts telemetry as OTLP/JSON to a URL.',
  attempt: SEND_A_SPAN,

  component: ({
    type,
    variable,
  }) => `import { defineExporter, PermanentError, RetryableError, t, toJson } from 'millrace/component'

const config = t.section({
  endpoint: t.string({ description: 'The URL that telemetry is posted to.' }),
  timeout: t.duration({ default: '5s', description: 'How long a request may take.' }),
})

/** Posts telemetry as OTLP/JSON to a URL. */
export const ${variable} = defineExporter({
  type: '${type}',
  description: 'Posts telemetry as OTLP/JSON to a URL.',
  stability: { traces: 'development', metrics: 'development', logs: 'development' },
  config,
  *check({ endpoint }) {
    if (!URL.canParse(endpoint)) yield \`endpoint: must be a URL, got "\${endpoint}"\`
  },
  create: ({ endpoint, timeout }, { ledger }) => ({
    async consume(payload) {
      const { status } = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: toJson(payload),
        signal: AbortSignal.timeout(timeout),
      }).catch(cause => {
        throw new RetryableError(\`cannot reach \${endpoint}\`, { cause })
      })
      if (status === 429 || status >= 500) throw new RetryableError(\`\${endpoint} answered \${status}\`)
      if (status >= 300) throw new PermanentError(\`\${endpoint} answered \${status}\`)
      ledger.sent(payload.signal, payload.items)
    },
  }),
})
`,

  test: ({ variable, module }) => `import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { PermanentError, RetryableError } from 'millrace/component'
import { runExporter, traces } from 'millrace/testing'
import { ${variable} } from '${module}'

test('posts what it is given, and tells by the answer whether to try again', async () => {
  const bodies: string[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.writeHead(status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await using subject = await runExporter(${variable}, { endpoint: \`http://127.0.0.1:\${port}/\` })

  await subject.consume(traces(2))
  equal(JSON.parse(bodies[0] ?? '').resourceSpans[0].scopeSpans[0].spans.length, 2)
  deepEqual(subject.context.ledger.total('sent'), 2)
  status = 503
  await rejects(subject.consume(traces(1)), RetryableError)
  status = 400
  await rejects(subject.consume(traces(1)), PermanentError)
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await rejects(subject.consume(traces(1)), RetryableError)
})
`,

  config: ({ type, file }) => `receivers:
  otlp:
    protocols:
      http:
exporters:
  ${type}:
    endpoint: http://localhost:9000/
service:
  components: [./${file}.ts]
  pipelines:
    traces: { receivers: [otlp], exporters: [${type}] }
`,
}
