import type { Component, Consumer, PipelineContext } from '#core/component'
import { processEnvironment } from '#core/config'
import type { Payload } from '#core/data'
import { createDelivery } from '#core/delivery'
import { createHttpClient, type HttpClient, resolveClientAuthenticator, userAgent } from '#core/net'
import { deliveryOf, type SecurityEventConfig } from './config.ts'
import { DeadLetters } from './dead_letter/dead-letters.ts'
import { accessTokenOf, needsAccessToken, type PostForm } from './delivery/access-token.ts'
import { EventSender } from './delivery/event-sender.ts'
import { secretsOf } from './delivery/secrets.ts'
import { mappingOf } from './mapping-of.ts'
import { targetOf } from './targets/targets.ts'
import { securityEventInstruments } from './telemetry.ts'

/** An exporter that turns each log record into a security event and posts events to a target. */
export function createSecurityEventExporter(
  config: SecurityEventConfig,
  context: PipelineContext,
): Component & Consumer<'logs'> {
  const { clock, logger } = context
  const instruments = context.meter.bind(securityEventInstruments)
  const target = targetOf(config)
  const clients: HttpClient[] = []
  const deadLetters =
    config.dead_letter && new DeadLetters(config.dead_letter, { clock, logger, exporter: String(context.id) })
  let sender: EventSender | undefined
  const delivery = createDelivery({
    config: deliveryOf(config),
    context,
    labels: labelsOf(config.endpoint),
    send: (payload, sending) => sender!.send(payload as Payload<'logs'>, sending),
    giveUp: (payload, failure) => sender!.giveUp(payload, failure),
    async start(host) {
      const authenticator = resolveClientAuthenticator(config.auth, host)
      const deps = { clock, logger, userAgent: userAgent(context.build), environment: processEnvironment() }
      const client = await createHttpClient(config, authenticator === undefined ? deps : { ...deps, authenticator })
      clients.push(client)
      await deadLetters?.open()
      const secrets = secretsOf(config)
      let authority: HttpClient | undefined
      if (needsAccessToken(config)) {
        // Without the headers meant for the target.
        authority = await createHttpClient({ ...config, headers: {}, auth: undefined, compression: '' }, deps)
        clients.push(authority)
      }
      const accessToken = authority && accessTokenOf(config, postForm(authority), clock)
      const mapping = mappingOf(config, target.format, context.build, clock.now)
      sender = new EventSender({
        ...{ config, context, target, mapping, client, secrets, instruments, accessToken, deadLetters },
      })
    },
    async shutdown() {
      await Promise.all(clients.map(client => client.close()))
      await deadLetters?.close()
    },
  })
  return {
    start: host => delivery.start!(host),
    shutdown: () => delivery.shutdown!(),
    consume(payload, from) {
      instruments.logsReceived.add(payload.items)
      return delivery.consume(payload, from)
    },
  }
}

function postForm(client: HttpClient): PostForm {
  return (url, form, signal) =>
    client.post(
      url,
      [Buffer.from(form.toString())],
      { 'content-type': 'application/x-www-form-urlencoded' },
      { signal },
    )
}

/** The labels that tell several targets apart. Not the path, which may hold a token. */
function labelsOf(endpoint: string): Record<string, string> {
  const { hostname, port, protocol } = new URL(endpoint)
  return { 'server.address': hostname, 'server.port': port || (protocol === 'https:' ? '443' : '80') }
}
