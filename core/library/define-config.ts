import type { Components, ConfigOf } from './config-of.ts'

/** Components and a configuration that fits them: what `createCollector` takes. */
export interface Defined<C extends Components = Components> {
  readonly components: C
  readonly config: ConfigOf<C>
}

/**
 * A configuration in TypeScript, typed by the components it names: `defineConfig({ components: [otlp, batch, otlpHttp],
 * receivers: { otlp: … }, … })`. Returns what `createCollector` takes. A wrong option does not compile; what types
 * cannot say is checked at start, like YAML.
 */
export function defineConfig<const C extends Components>(
  definition: { readonly components: C } & NoInfer<ConfigOf<C>>,
): Defined<C> {
  const { components, ...config } = definition
  return { components, config: config as unknown as ConfigOf<C> }
}
