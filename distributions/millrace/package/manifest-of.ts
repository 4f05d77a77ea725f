/** The repository's own `package.json`, whose `imports`, `exports` and `bin` name sources. */
export interface SourceManifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly engines: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | null>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/**
 * The manifest of the published package: the same doors, leading to JavaScript beside its typings. What the repository
 * pins is a range here, so that a program that has the same packages gets them once.
 */
export function manifestOf(source: SourceManifest) {
  const { name, version, description, license, type, engines, bin, imports, exports, dependencies } = source
  const optional = { '@types/node': '>=24', vitest: `>=${source.devDependencies.vitest!.split('.')[0]}` }
  return {
    ...{ name, version, description, license, type, engines },
    keywords: ['opentelemetry', 'otel', 'otlp', 'collector', 'telemetry', 'observability'],
    bin: built(bin),
    imports: built(imports),
    exports: built(exports),
    dependencies: mapValues(dependencies, version => `^${version}`),
    // Typings speak of Node's; `millrace/testing/conformance` of Vitest.
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map(each => [each, { optional: true }])),
  }
}

function built<T extends string | null>(paths: Readonly<Record<string, T>>): Record<string, T> {
  return mapValues(paths, path => (path?.replace(/\.ts$/, '.js') ?? null) as T)
}

function mapValues<T>(from: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]))
}
