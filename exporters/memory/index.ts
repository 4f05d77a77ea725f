import { type ConsumeContext, defineExporter } from '#core/component'
import { t } from '#core/config'
import type { Payload } from '#core/data'
import { Arrivals } from './arrivals.ts'
import { MemoryOutlet } from './exporter.ts'

/** A definition that also tells what arrived in the collectors that it became part of. */
export type MemoryExporter = ReturnType<typeof memoryExporter>

/**
 * Keeps what arrives, for the program that the collector is part of to read; or hands it to `take`, which may refuse by
 * rejecting, and keeps nothing. Each call makes a definition and, in the same object, what arrived there.
 */
export function memoryExporter(take?: (payload: Payload, context: ConsumeContext) => void | Promise<void>) {
  const arrivals = new Arrivals()
  const definition = defineExporter({
    type: 'memory',
    description: 'Keeps what arrives, for the program that the collector is part of.',
    stability: { traces: 'beta', metrics: 'beta', logs: 'beta', profiles: 'development' },
    config: t.section({}),
    create: (_config, context) =>
      new MemoryOutlet(take ?? (payload => arrivals.add(payload, String(context.id))), context),
  })
  return Object.assign(arrivals, definition)
}

/** The same under its short name, for programs that import it from its own door. */
export { memoryExporter as memory }
