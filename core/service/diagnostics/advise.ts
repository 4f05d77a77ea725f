import type { ConfigNode, Warning } from '#core/config'
import type { Plan } from '#core/pipeline'
import { clashingAddresses } from './clashing-addresses.ts'
import { plainTextSecrets } from './plain-text-secrets.ts'
import { processorOrder } from './processor-order.ts'
import { unusedComponents } from './unused-components.ts'

/**
 * What works, but hardly as it was meant. A pipeline that nothing leads into needs no word here: it has no receiver, or
 * a connector that no other pipeline feeds, and both are faults.
 * @param root the resolved configuration behind the plan
 * @param files the names, in origins, of what was given as configuration: secrets in what references bring are no matter
 */
export function advise(plan: Plan, root: ConfigNode, files: ReadonlySet<string>): Warning[] {
  return [
    ...unusedComponents(plan),
    ...clashingAddresses(plan, root),
    ...processorOrder(plan),
    ...plainTextSecrets(plan, root, files),
  ]
}
