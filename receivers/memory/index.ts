import { defineReceiver } from '#core/component'
import { t } from '#core/config'
import type { Signal } from '#core/data'
import { Inlets } from './inlets.ts'
import type { MemoryReceiver } from './memory-receiver.ts'
import { MemoryInlet } from './receiver.ts'

/**
 * Takes telemetry from the program that the collector is part of. Each call makes a definition and, in the same object,
 * the way into the one collector that it becomes part of.
 */
export function memoryReceiver(): MemoryReceiver {
  const inlets = new Inlets()
  const definition = defineReceiver({
    type: 'memory',
    description: 'Takes telemetry from the program that the collector is part of.',
    stability: { traces: 'beta', metrics: 'beta', logs: 'beta', profiles: 'development' },
    config: t.section({}),
    create: (_config, next, context) => new MemoryInlet(inlets, next, context),
  })
  const push: MemoryReceiver['push'] = (signal: Signal, data, options) => inlets.push(signal, data, options)
  return {
    ...definition,
    push,
    traces: (data, options) => push('traces', data, options),
    metrics: (data, options) => push('metrics', data, options),
    logs: (data, options) => push('logs', data, options),
  }
}

/** The same under its short name, for programs that import it from its own door. */
export { memoryReceiver as memory }
