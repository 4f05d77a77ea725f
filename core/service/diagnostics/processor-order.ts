import type { Warning } from '#core/config'
import type { Plan } from '#core/pipeline'

/** Processors that stand where they cannot do all of what they are for, by the `order` of their definitions. */
export function* processorOrder({ configuration }: Plan): Iterable<Warning> {
  for (const { id, processors } of configuration.pipelines.values()) {
    const steps = processors.map(reference => {
      const { definition } = configuration.processors.get(reference.id)!
      return { ...reference, order: definition.order }
    })
    for (const [index, step] of steps.entries()) {
      const before = steps.slice(0, index)
      const late = step.order === 'first' && before.some(one => one.order !== 'first')
      const batch = step.order === 'drops' ? before.find(one => one.order === 'batches') : undefined
      if (!late && batch === undefined) continue
      const message = late
        ? `processor "${step.id}" should be the first in pipeline "${id}": what stands before it takes data that it would refuse`
        : `processor "${batch!.id}" should stand behind "${step.id}" in pipeline "${id}": what that drops is in its batches`
      const origin = late ? step.origin : batch!.origin
      yield {
        level: 'warn',
        message,
        path: `service::pipelines::${id}`,
        code: 'processor-order',
        ...(origin && { origin }),
      }
    }
  }
}
