// Three kinds of worker threads at work: one checks a slow password, one reads the standard, one analyses telemetry.
import bcrypt from 'bcryptjs'
import { createCollector } from 'millrace'
import { millrace } from 'millrace/distributions/millrace'
import { build } from 'millrace/core/data'

const listens = {}
const collector = createCollector({
  components: millrace,
  config: {
    receivers: {
      otlp: { protocols: { http: { endpoint: '127.0.0.1:0', auth: { authenticator: 'basicauth' } } } },
    },
    processors: { semconv_dictionary: { worker_count: 1 } },
    exporters: { nop: {} },
    extensions: {
      api: { endpoint: '127.0.0.1:0' },
      basicauth: { htpasswd: { inline: `ada:${bcrypt.hashSync('right', 4)}` } },
    },
    service: {
      extensions: ['api', 'basicauth'],
      pipelines: { traces: { receivers: ['otlp'], processors: ['semconv_dictionary'], exporters: ['nop'] } },
    },
  },
  log: ({ message, fields }) => {
    if (fields.endpoint) listens[message] = `http://${fields.endpoint}`
  },
})
await collector.start()

const span = { name: 'a', attributes: [{ key: 'http.request.method', value: { stringValue: 'GET' } }] }
const body = build('traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }).flat()
const send = async password => {
  const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
  const headers = { 'content-type': 'application/x-protobuf', authorization }
  return (await fetch(`${listens['Starting HTTP server']}/v1/traces`, { method: 'POST', headers, body })).status
}
const [wrong, right] = [await send('wrong'), await send('right')]

let entries = []
while (entries.length === 0) {
  const answer = await fetch(`${listens['API listens']}/api/v1/dictionary/http.request.method`)
  if (answer.ok) entries = [(await answer.json()).name]
}
await collector.shutdown()
console.log(`wrong password: ${wrong}, right: ${right}, learned: ${entries}`)
