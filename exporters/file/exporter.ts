import type { Component, Consumer, PipelineContext } from '#core/component'
import { createDelivery, type DeliveryConfig } from '#core/delivery'
import type { FileConfig } from './config.ts'
import { type Destination, SingleFile } from './destination.ts'
import { GroupedFiles } from './grouped-files.ts'

/** Nothing stands between the sender and the file: the sender is answered when its data is written. */
const AT_ONCE: DeliveryConfig = { timeout: 0, retry_on_failure: undefined, sending_queue: undefined }

/** An exporter whose destination is a file, or one for each group of resources. */
export function createFileExporter(config: FileConfig, context: PipelineContext): Component & Consumer {
  const { clock, logger } = context
  const destination: Destination = config.group_by.enabled
    ? new GroupedFiles(config, logger)
    : new SingleFile(config, clock, logger)
  return createDelivery({
    config: AT_ONCE,
    context,
    send: payload => destination.write(payload),
    start: () => destination.open(),
    shutdown: () => destination.close(),
  })
}
