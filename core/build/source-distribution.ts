import type { Definition, Distribution } from '#core/component'

/** A distribution that runs from the sources of this package, as a manifest describes it. */
export interface SourceDistribution {
  /** Its component list: a TypeScript module two folders below the package, with a version equal to the package's. */
  readonly list: string
  /** The folders of its components below the package, sorted: `processors/batch`. */
  readonly folders: readonly string[]
}

/**
 * What a manifest means for a distribution of this package itself, which is not bundled.
 * @param manifest its path
 * @param definitions the components to choose from
 * @param constant what the list is exported as
 * @throws {ConfigError} with every fault of the manifest
 */
export async function sourceDistribution(
  manifest: string,
  definitions: readonly Definition[],
  constant: string,
): Promise<SourceDistribution> {
  const [{ ConfigError }, { ComponentModules }, { readManifest }, { choose }, { componentList }] = await Promise.all([
    import('#core/config'),
    import('#core/service'),
    import('./read-manifest.ts'),
    import('./choose.ts'),
    import('./component-list.ts'),
  ])
  const file = await readManifest(manifest)
  const { components, faults, missing } = await choose(file, distributionOf(definitions), new ComponentModules())
  const all = [...file.faults, ...faults, ...missing]
  if (file.manifest === undefined || all.length > 0) throw new ConfigError(all)
  const { name, description } = file.manifest.dist
  const list = componentList(
    components,
    {
      ...{ constant, command: name, description, version: 'manifest.version' },
      imports: ["import manifest from '../../package.json' with { type: 'json' }"],
      comment: `${description}.`,
      contracts: '#core/component',
      banner: 'Written from builder.yaml by `npm run distributions`. Changes belong there.',
    },
    ({ specifier }) => `${specifier.replace(/^millrace/, '../..')}/index.ts`,
  )
  return { list, folders: components.map(({ specifier }) => specifier.replace(/^millrace\//, '')).sort() }
}

function distributionOf(definitions: readonly Definition[]): Distribution {
  const of = <K extends Definition['kind']>(kind: K) =>
    definitions.filter((each): each is Extract<Definition, { kind: K }> => each.kind === kind)
  return {
    ...{ command: '', description: '', version: '' },
    receivers: of('receiver'),
    processors: of('processor'),
    exporters: of('exporter'),
    connectors: of('connector'),
    extensions: of('extension'),
  }
}
