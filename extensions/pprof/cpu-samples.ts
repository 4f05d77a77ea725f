import type { CallFrame, ProfileBuilder } from './profile-builder.ts'

/** A CPU profile as V8 gives it. */
export interface V8CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: CallFrame
    readonly children?: readonly number[]
  }[]
  /** The node that was on top of the stack at each sample. */
  readonly samples?: readonly number[]
}

/** What {@link addCpuSamples} measures. */
export const CPU_MEASURES = [
  ['samples', 'count'],
  ['cpu', 'nanoseconds'],
] as const

/** Names that V8 gives to what is not a function, and which are no work or have no meaning in a stack. */
const ROOT = '(root)'
const IDLE = '(idle)'

/**
 * Adds the samples of a V8 profile, those taken while there was nothing to do left out. Each counts for the time that
 * there is meant to be between two, as in Go: the time that there was is also the time that a busy machine let pass.
 * @param interval nanoseconds
 */
export function addCpuSamples(profile: V8CpuProfile, builder: ProfileBuilder, interval: number): void {
  const stacks = stacksOf(profile.nodes, builder)
  for (const id of profile.samples ?? []) {
    const stack = stacks.get(id)
    if (stack !== undefined) builder.add(stack, [1, interval])
  }
}

/** The stack of each node, innermost first; none for the root and for idling. */
function stacksOf(nodes: V8CpuProfile['nodes'], builder: ProfileBuilder): ReadonlyMap<number, readonly number[]> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)))
  const byId = new Map(nodes.map(node => [node.id, node]))
  const stacks = new Map<number, readonly number[]>()
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === IDLE) continue
    const stack: number[] = []
    for (let node = byId.get(id); node !== undefined; node = byId.get(parents.get(node.id) ?? -1)) {
      if (node.callFrame.functionName !== ROOT) stack.push(builder.location(node.callFrame))
    }
    if (stack.length > 0) stacks.set(id, stack)
  }
  return stacks
}
