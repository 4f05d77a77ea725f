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
 * The manifest of the published package: the same doors, leading to JavaScript beside its typings. Dependencies are those
 * that the tests ran with, to the last digit.
 */
export function manifestOf(source: SourceManifest) {
  const { name, version, description, license, type, engines, bin, imports, exports, dependencies } = source
  const { vitest } = source.devDependencies
  const optional = { '@types/node': '>=24', esbuild: '>=0.25', vitest: `>=${vitest!.split('.')[0]}` }
  return {
    ...{ name, version, description, license, type, engines },
    keywords: ['opentelemetry', 'otel', 'otlp', 'collector', 'telemetry', 'observability'],
    bin: built(bin),
    imports: built(imports),
    exports: built(exports),
    dependencies,
    // Typings speak of Node's; `millrace/testing/conformance` of Vitest; `millrace build` bundles with esbuild.
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map(each => [each, { optional: true }])),
  }
}

function built<T extends string | null>(paths: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(paths)
  return Object.fromEntries(entries.map(([door, path]) => [door, (path?.replace(/\.ts$/, '.js') ?? null) as T]))
}
