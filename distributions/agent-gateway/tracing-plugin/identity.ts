/** What the gateway calls the plugin: the id of its manifest and of its entry under `plugins.entries`. */
export const PLUGIN_ID = 'millrace-tracing'

/** The name people read in the gateway's list of plugins. */
export const PLUGIN_NAME = 'Millrace tracing'

/** The version of the plugin, which is also the version of its instrumentation scope. */
export const PLUGIN_VERSION = '0.1.0'

/** The plugin id of the gateway's own exporter. */
export const BUILT_IN_ID = 'diagnostics-otel'
