import { setImmediate } from 'node:timers/promises'
import { assertContributions } from './assert-component.ts'
import { ComponentHost } from './component-host.ts'
import { logFields } from './context.ts'
import { describe, sentence } from './describe.ts'
import { PATIENCE } from './guard.ts'
import { offeredBy } from './offered.ts'
import type { PlanNode } from './planned.ts'
import type { Running } from './running.ts'
import type { GraphServices } from './services.ts'
import type { SharedStates } from './shared-states.ts'
import { told } from './told.ts'

/**
 * Starts one component and tells how it is: Starting, then OK unless it said something else meanwhile.
 * @throws {Error} in the Collector's words when it does not start
 */
export async function startComponent(running: Running, services: GraphServices): Promise<void> {
  const { instance, component, node } = running
  const logger = services.logger(logFields(node))
  services.report(instance, 'Starting')
  if (node.kind === 'extension') logger.info('Extension is starting...')
  try {
    await inTime(component.start?.(new ComponentHost(services.host, running.asked)), 'start', running, services)
    assertContributions(component)
  } catch (cause) {
    const error = placed(cause, node)
    services.report(instance, 'PermanentError', error)
    logger.error(node.kind === 'extension' ? 'Failed to start extension' : 'Failed to start component', { error })
    throw new Error(`failed to start "${instance.id}" ${node.kind}: ${error.message}`, { cause })
  }
  running.started = true
  if (services.statusOf(instance) === 'Starting') services.report(instance, 'OK')
  services.running(instance, component, offeredBy(component, running.guard))
  if (node.kind === 'extension') logger.info('Extension started.')
}

/**
 * Stops one component, started or not, and gives back what it shared.
 * @param replaced whether one of the same id will be started in its place
 * @throws {Error} naming the component when its shutdown fails; everything else has been done then
 */
export async function stopComponent(
  running: Running,
  services: GraphServices,
  states: SharedStates,
  replaced = false,
): Promise<void> {
  const { instance, component, node } = running
  running.started = false
  services.stopping(instance, component)
  services.report(instance, 'Stopping')
  const errors: Error[] = []
  const attempt = async (step: () => Promise<void> | undefined) => {
    try {
      await step()
    } catch (error) {
      errors.push(placed(error, node))
    }
  }
  await attempt(() => inTime(component.shutdown?.({ replaced }), 'shut down', running, services))
  await attempt(() => states.leave(node.configured, running))
  const [error] = errors
  services.report(instance, error === undefined ? 'Stopped' : 'PermanentError', error)
  services.gone(instance)
  if (error === undefined) return
  services.logger(logFields(node)).error('Failed to shut down component', { error })
  throw new Error(`failed to shut down ${describe(node)}: ${error.message}`, { cause: error })
}

/** How a number of components stopped. */
export interface Stopped {
  readonly errors: readonly Error[]
  /** Those that were still stopping when patience ended, each with the promise of its end, which does not reject. */
  readonly unfinished: ReadonlyMap<Running, Promise<void>>
}

/**
 * Stops components one after the other, whatever becomes of each. Once `patience` resolves, the rest is told to stop
 * at once and not waited for.
 *
 * @param before called right before each is stopped; tells whether it is replaced by another of its id
 */
export async function stopInOrder(
  components: readonly Running[],
  services: GraphServices,
  states: SharedStates,
  patience: Promise<void>,
  before: (running: Running) => boolean = () => false,
): Promise<Stopped> {
  const errors: Error[] = []
  const unfinished = new Map<Running, Promise<void>>()
  for (const running of components) {
    const replaced = before(running)
    const stopped = stopComponent(running, services, states, replaced).catch(error => void errors.push(asError(error)))
    unfinished.set(running, stopped)
    const finished = stopped.then(() => unfinished.delete(running))
    await Promise.race([finished, patience])
  }
  if (unfinished.size > 0) await setImmediate()
  return { errors, unfinished }
}

/**
 * Waits for a step of a component. One from a file or package may not keep a reload from ending, so it is not waited for
 * beyond its patience.
 */
async function inTime(
  step: Promise<void> | undefined,
  name: string,
  { guard }: Running,
  { clock }: GraphServices,
): Promise<void> {
  if (!guard.timed || step === undefined) return step
  const late = Promise.withResolvers<void>()
  const timer = clock.after(PATIENCE, () => late.reject(new Error(`it did not ${name} within ${PATIENCE / 1000} s`)))
  try {
    await Promise.race([step, late.promise])
  } finally {
    timer.cancel()
  }
}

/** The error, with its place in the component's own code if it has one. */
function placed(error: unknown, node: PlanNode): Error {
  const message = told(error, node)
  return error instanceof Error && error.message === message ? error : new Error(message, { cause: error })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(sentence(error))
}
