import { type Static, t } from '#core/config'
import { actionsOption, checkActions } from '#core/transform'

export const resourceConfig = t.section({
  attributes: actionsOption('What to do to the attributes of each resource, in this order.'),
})

export type ResourceConfig = Static<typeof resourceConfig>

export function* checkResourceConfig({ attributes }: ResourceConfig): Iterable<string> {
  if (attributes.length === 0) yield 'missing required field "attributes"'
  yield* checkActions(attributes)
}
