import { type Static, t } from '#core/config'

/** One component, provider or module of a manifest; exactly one of the first four says which. */
const entry = t.section({
  component: t.optional(
    t.string({
      description: 'A component of this package by its type, for example `batch`; under `providers` a scheme',
    }),
  ),
  gomod: t.optional(
    t.string({
      description: 'A module of the Go Collector with its version; the component of the same name here is taken',
    }),
  ),
  package: t.optional(
    t.string({ description: 'An installed npm package, with or without its exact version: `name@1.2.3`' }),
  ),
  path: t.optional(
    t.string({ description: 'A file or folder that exports components, relative to the manifest: `./redact.ts`' }),
  ),
  import: t.optional(t.string({ description: 'The module to import from the package; default: the package itself' })),
  name: t.optional(
    t.string({ description: 'The type of the component to take when there are several; default: all of the kind' }),
  ),
})

function entries(what: string) {
  return t.list(entry, { description: what, default: [] })
}

const ignored = (what: string) => t.optional(t.any({ description: `${what}. Of the Go builder; without effect here` }))

/** A manifest, in the shape of the Collector Builder's (`cmd/builder/internal/builder/config.go`). */
export const manifestSchema = t.section({
  dist: t.section(
    {
      name: t.string({
        description: 'The command, and the name of the npm package that is written',
        default: 'otelcol-custom',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      }),
      description: t.string({
        description: 'What it is for, in a sentence',
        default: 'Custom OpenTelemetry Collector distribution',
      }),
      version: t.string({ description: 'Its version', default: '1.0.0' }),
      output_path: t.string({
        description: 'The folder to write, relative to the manifest; everything in it belongs to the builder',
        default: './dist',
      }),
      config: t.optional(
        t.string({ description: 'A configuration that is used when none is given, relative to the manifest' }),
      ),
      external: t.list(t.string({ description: 'The name of a package' }), {
        description: 'Packages that stay beside the bundle; native ones do in any case',
        default: [],
      }),
      debug_compilation: t.boolean({
        description: 'Leaves the bundle readable, with source maps, so that stacks name your files',
        default: false,
      }),
      module: ignored('The Go module'),
      go: ignored('The Go binary'),
      build_tags: ignored('Build tags'),
      cgo_enabled: ignored('Whether C is compiled'),
      use_absolute_replace_paths: ignored('How replaced modules are written'),
      otelcol_version: ignored('The version of the Collector'),
      include_core: ignored('Whether the core is included'),
    },
    { description: 'The distribution' },
  ),
  receivers: entries('Receivers'),
  processors: entries('Processors'),
  exporters: entries('Exporters'),
  connectors: entries('Connectors'),
  extensions: entries('Extensions'),
  providers: t.optional(
    t.list(entry, { description: 'Where configurations may come from; default: env, file, http, https, yaml' }),
  ),
  replaces: t.list(t.string({ description: '`package => ./folder`' }), {
    description: 'Local folders that are taken instead of packages',
    default: [],
  }),
  conf_resolver: t.section(
    {
      default_uri_scheme: t.string({ description: 'The scheme of references that name none', default: 'env' }),
    },
    { description: 'How references in configurations are read' },
  ),
  converters: ignored('Converters'),
  telemetry: ignored('The telemetry module'),
  excludes: ignored('Lines of go.mod'),
})

/** A manifest as the builder receives it. */
export type Manifest = Static<typeof manifestSchema>
/** An entry of a list of components. */
export type Entry = Static<typeof entry>
