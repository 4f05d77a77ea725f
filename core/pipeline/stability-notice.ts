import type { LogFields, Logger, Stability } from '#core/component'
import type { PlanNode } from './planned.ts'

/** Levels at which whoever runs a component should know, and what they should know. */
const NOTICES: { readonly [S in Stability]?: string } = {
  unmaintained: 'Component is unmaintained and may be removed',
  deprecated: 'Component is deprecated and will be removed',
  development: 'Component is in development and may change or break at any time',
}

/** Logs how far the component of a node can be relied on: at info where that is little, else at debug, as the Collector does. */
export function noticeStability(node: PlanNode, logger: Logger): void {
  for (const [stability, fields] of levelsOf(node)) {
    const notice = NOTICES[stability]
    if (notice === undefined) logger.debug(`Component is ${stability}`, fields)
    else logger.info(notice, fields)
  }
}

/** Each level at which the component is used, once. */
function levelsOf(node: PlanNode): Map<Stability, LogFields> {
  if (node.kind === 'extension') return new Map([[node.configured.definition.stability, {}]])
  if (node.kind === 'connector') {
    const [from, to] = node.signals
    const level = node.configured.definition.stability[from]?.[to]
    return new Map(level === undefined ? [] : [[level, {}]])
  }
  const { stability } = node.configured.definition
  const levels = Map.groupBy(node.signals, signal => stability[signal])
  return new Map([...levels].flatMap(([level, signals]) => (level === undefined ? [] : [[level, { signals }]])))
}
