import type { Component, Consumer, PipelineContext } from '#core/component'
import { processEnvironment } from '#core/config'
import { type Payload, type Signal, toJson } from '#core/data'
import { createDelivery } from '#core/delivery'
import { createHttpClient, type HttpClient, resolveClientAuthenticator, userAgent } from '#core/net'
import type { OtlpHttpConfig } from './config.ts'
import { judge } from './reply.ts'
import { serverLabels, urlFor } from './urls.ts'

/** An exporter that posts the export request of each signal. */
export function createOtlpHttpExporter(config: OtlpHttpConfig, context: PipelineContext): Component & Consumer {
  let client: HttpClient | undefined
  const urls = new Map<Signal, string>(context.signals.map(signal => [signal, urlFor(signal, config)]))
  const contentType = config.encoding === 'json' ? 'application/json' : 'application/x-protobuf'
  return createDelivery({
    config,
    context,
    labels: signal => serverLabels(urls.get(signal)!),
    async start(host) {
      const authenticator = resolveClientAuthenticator(config.auth, host)
      client = await createHttpClient(config, {
        clock: context.clock,
        logger: context.logger,
        userAgent: userAgent(context.build),
        environment: processEnvironment(),
        ...(authenticator === undefined ? {} : { authenticator }),
      })
    },
    async send(payload, sending) {
      const url = urls.get(payload.signal)!
      const trace = sending.traceparent === undefined ? {} : { traceparent: sending.traceparent }
      const headers = { 'content-type': contentType, ...trace }
      const options = { signal: sending.signal, sender: sending }
      const reply = await client!.post(url, pieces(payload, config.encoding), headers, options)
      const warning = judge(payload.signal, withoutUser(url), reply, context.clock.now())
      if (warning !== undefined) context.logger.warn('Partial success response', { message: warning })
    },
    async shutdown() {
      await client?.close()
    },
  })
}

function pieces(payload: Payload, encoding: OtlpHttpConfig['encoding']): readonly Buffer[] {
  return encoding === 'json' ? [Buffer.from(toJson(payload))] : payload.pieces()
}

/** A URL fit for the log. */
function withoutUser(url: string): string {
  if (!url.includes('@')) return url
  const parsed = new URL(url)
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
