import { HOOKS } from './hooks.ts'
import { type HostApi, hooksFor, seesConversations } from './host.ts'
import { PLUGIN_ID, PLUGIN_NAME, PLUGIN_VERSION } from './identity.ts'
import { settingsOf } from './settings.ts'
import { readSwitches } from './switches.ts'
import { Tracing } from './tracing.ts'

/** What all registrations in a process share, so that a turn whose hooks come through several of them stays one. */
interface Shared {
  tracing?: Tracing
  key?: string
  said?: string
  begun: number
}

/** The plugin as the gateway loads it. */
export const plugin = {
  id: PLUGIN_ID,
  name: PLUGIN_NAME,
  description: 'Exports each request, agent turn, model call and tool call as one connected OpenTelemetry trace',
  version: PLUGIN_VERSION,
  register(api: HostApi): void {
    try {
      register(api)
    } catch (error) {
      api.logger?.warn?.(`${PLUGIN_ID}: cannot start: ${error instanceof Error ? error.message : error}`)
    }
  },
}

function register(api: HostApi): void {
  const shared = sharedOf()
  const warn = (line: string) => api.logger?.warn?.(`${PLUGIN_ID}: ${line}`)
  const info = (line: string) => {
    if (shared.said !== line) api.logger?.info?.(`${PLUGIN_ID}: ${line}`)
    shared.said = line
  }
  const switches = readSwitches(api.rootDir ?? import.meta.dirname, warn)
  const settings = settingsOf(api.config, switches, warn)
  if (typeof settings === 'string') {
    info(`nothing is exported: ${settings}`)
    return
  }
  const key = JSON.stringify(settings)
  if (shared.tracing === undefined || shared.key !== key) {
    void shared.tracing?.stop()
    shared.tracing = new Tracing(settings)
    shared.key = key
  }
  const { tracing } = shared
  tracing.logger = { info: line => api.logger?.info?.(`${PLUGIN_ID}: ${line}`), warn }
  for (const hook of hooksFor(Object.keys(HOOKS), api)) {
    api.on?.(hook, (event, context) => shared.tracing?.hook(hook, event, context))
  }
  api.on?.('gateway_stop', () => shared.tracing?.stop())
  api.registerService?.({ id: PLUGIN_ID, start() {}, stop: async () => shared.tracing?.stop() })
  if (switches.lifecycleSpans) registerLifecycle(api, shared)
  info(
    `exports to ${settings.traces ?? settings.metrics}${settings.turnMetrics ? ', with metrics' : ''}` +
      (seesConversations(api)
        ? ''
        : `; without plugins.entries.${PLUGIN_ID}.hooks.allowConversationAccess the ends of turns are guessed`),
  )
}

function registerLifecycle(api: HostApi, shared: Shared): void {
  api.on?.('gateway_start', () => {
    shared.tracing?.lifecycle('gateway.startup', shared.begun, Date.now())
  })
  for (const command of ['new', 'reset', 'stop']) {
    const options = { name: `${PLUGIN_ID}-${command}`, description: `Exports a span for each /${command}` }
    const handler = () => shared.tracing?.lifecycle(`command.${command}`, Date.now(), Date.now())
    api.registerHook?.([`command:${command}`], handler, options)
  }
}

function sharedOf(): Shared {
  const key = Symbol.for(`${PLUGIN_ID}@${PLUGIN_VERSION}`)
  const holder = globalThis as unknown as Record<symbol, Shared | undefined>
  holder[key] ??= { begun: Date.now() }
  return holder[key]
}
