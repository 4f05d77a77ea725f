import type { Component, Consumer, PipelineContext } from '#core/component'
import { createDelivery } from '#core/delivery'
import type { DebugConfig } from './config.ts'
import { Printer } from './printer.ts'

/** An exporter whose destination is the log or a few files. */
export function createDebugExporter(config: DebugConfig, context: PipelineContext): Component & Consumer {
  const printer = new Printer(config, context)
  return createDelivery({
    config: { timeout: 0, retry_on_failure: undefined, sending_queue: config.sending_queue },
    context,
    send: payload => printer.print(payload),
    start: () => printer.open(),
    shutdown: () => printer.close(),
  })
}
