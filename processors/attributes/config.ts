import { type Static, t } from '#core/config'
import { actionsOption, checkActions } from '#core/transform'
import { checkMatch, matchOption } from './match-option.ts'

export const attributesConfig = t.section({
  actions: actionsOption('What to do to the attributes of each record, in this order.'),
  include: matchOption('Only records that meet these conditions are changed.'),
  exclude: matchOption('Records that meet these conditions are not changed; asked after `include`.'),
})

export type AttributesConfig = Static<typeof attributesConfig>

export function* checkAttributesConfig({ actions, include, exclude }: AttributesConfig): Iterable<string> {
  if (actions.length === 0) yield 'missing required field "actions"'
  yield* checkActions(actions)
  if (include !== undefined) for (const fault of checkMatch(include)) yield `include: ${fault}`
  if (exclude !== undefined) for (const fault of checkMatch(exclude)) yield `exclude: ${fault}`
}
