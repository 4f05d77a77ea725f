import type { ConsumeContext, PipelineContext, Transform } from '#core/component'
import type { Draft } from '#core/data'
import { type ApplyActions, compileActions } from '#core/transform'
import type { ResourceConfig } from './config.ts'

/** Applies the actions to every resource. */
export class ResourceProcessor implements Transform {
  readonly #apply: ApplyActions

  constructor(config: ResourceConfig, { logger }: PipelineContext) {
    this.#apply = compileActions(config.attributes, logger)
  }

  transform(draft: Draft, context: ConsumeContext): void {
    for (const { attributes } of draft.resources()) this.#apply(attributes, context)
  }
}
