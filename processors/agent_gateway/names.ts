/** What the gateway calls things, under the prefix that it was given. */
export interface Names {
  /** `openclaw`, unless configured otherwise. */
  readonly prefix: string
  /** The name of a span or attribute: `<prefix>.<name>`. */
  of(name: string): string
  /** The name of a metric, whose prefix the gateway lets its operators choose. */
  metric(name: string): string
}

/** The names under `prefix`; metrics under `metricPrefix` when that is not empty. */
export function namesUnder(prefix: string, metricPrefix = ''): Names {
  const ofMetrics = metricPrefix === '' ? prefix : metricPrefix
  return { prefix, of: name => `${prefix}.${name}`, metric: name => `${ofMetrics}.${name}` }
}

/** A configured name in which `<prefix>` stands for the prefix. */
export function expandPrefix(name: string, prefix: string): string {
  return name.replaceAll('<prefix>', prefix)
}
