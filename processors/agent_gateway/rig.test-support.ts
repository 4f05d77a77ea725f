import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Component, Consumer } from '#core/component'
import { admit, openDraft, type Payload, type Signal } from '#core/data'
import { configure, Sink, type TestContext, type TestContextOptions, testContext } from '#core/testing'
import { agentGatewayProcessor } from './index.ts'

/** A processor of one signal in front of a sink. Edits of metrics and logs go through a draft, as in a pipeline. */
export interface Rig<S extends Signal> {
  readonly processor: Component & Consumer<S>
  readonly sink: Sink<S>
  readonly context: TestContext
}

export function rig<S extends Signal>(signal: S, written: object = {}, options: TestContextOptions = {}): Rig<S> {
  const context = testContext({
    id: 'agent_gateway',
    kind: 'processor',
    signals: [signal],
    pipelines: [signal],
    ...options,
  })
  const sink = new Sink<S>()
  const config = configure(agentGatewayProcessor.config, written)
  const made = agentGatewayProcessor.create(config, signal, sink as Consumer, context)
  if ('consume' in made) return { processor: made as Component & Consumer<S>, sink, context }
  const consume: Consumer<S>['consume'] = async (payload, consumeContext) => {
    const draft = openDraft(payload)
    await made.transform(draft, consumeContext)
    await sink.consume(draft.seal(), consumeContext)
  }
  return { processor: { consume }, sink, context }
}

/** A recorded request, through the door. */
export function recorded<S extends Signal>(signal: S, file: string): Payload<S> {
  return admit(signal, readFileSync(join(import.meta.dirname, 'testdata', file))).payload
}
