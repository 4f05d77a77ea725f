import { HOOKS } from './hooks.ts'
import { type HostApi, hooksFor, seesConversations } from './host.ts'
import { PLUGIN_ID, PLUGIN_NAME, PLUGIN_VERSION } from './identity.ts'
import { type Settings, settingsOf } from './settings.ts'
import { readSwitches } from './switches.ts'
import { Tracing } from './tracing.ts'

/** What all registrations in a process share, so that a turn whose hooks come through several of them stays one. */
interface Shared {
  tracing?: Tracing
  key?: string
  /** Lines the log has already. */
  readonly said: Set<string>
  /** Milliseconds since 1970. */
  readonly begun: number
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
  const lines: { line: string; level: 'info' | 'warn' }[] = []
  const warn = (line: string) => void lines.push({ line, level: 'warn' })
  const switches = readSwitches(api.rootDir ?? import.meta.dirname, warn)
  const settings = settingsOf(api.config, switches, warn)
  if (typeof settings === 'string') lines.push({ line: `nothing is exported: ${settings}`, level: 'info' })
  else {
    lines.push({ line: summary(settings, api), level: 'info' })
    attach(api, settings, shared)
  }
  // Only the gateway itself starts services. Its commands load plugins, too, and their output must stay clean.
  const start = () => {
    for (const { line, level } of lines) {
      if (!shared.said.has(line)) api.logger?.[level]?.(`${PLUGIN_ID}: ${line}`)
      shared.said.add(line)
    }
  }
  api.registerService?.({ id: PLUGIN_ID, start, stop: async () => shared.tracing?.stop() })
}

function attach(api: HostApi, settings: Settings, shared: Shared): void {
  const key = JSON.stringify(settings)
  if (shared.tracing === undefined || shared.key !== key) {
    void shared.tracing?.stop()
    shared.tracing = new Tracing(settings)
    shared.key = key
  }
  shared.tracing.logger = {
    info: line => api.logger?.info?.(`${PLUGIN_ID}: ${line}`),
    warn: line => api.logger?.warn?.(`${PLUGIN_ID}: ${line}`),
  }
  for (const hook of hooksFor(Object.keys(HOOKS), api)) {
    api.on?.(hook, (event, context) => shared.tracing?.hook(hook, event, context))
  }
  api.on?.('gateway_stop', () => shared.tracing?.stop())
  if (settings.switches.lifecycleSpans) registerLifecycle(api, shared)
}

function summary(settings: Settings, api: HostApi): string {
  const metrics = settings.turnMetrics ? ', with metrics' : ''
  const access = `plugins.entries.${PLUGIN_ID}.hooks.allowConversationAccess`
  const guessed = seesConversations(api) ? '' : `; without ${access} the ends of turns are guessed`
  return `exports to ${settings.traces ?? settings.metrics}${metrics}${guessed}`
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
  holder[key] ??= { said: new Set(), begun: Date.now() }
  return holder[key]
}
