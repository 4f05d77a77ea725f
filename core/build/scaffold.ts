import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'

/**
 * Writes a manifest that builds as it is, with an example of each kind of entry.
 * @throws {Error} when the file exists
 */
export async function writeScaffold(file: string): Promise<void> {
  const path = resolve(file)
  const name =
    basename(dirname(path))
      .replaceAll(/[^\w.-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '') || 'my-collector'
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(path, SCAFFOLD.replace('NAME', name), { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new Error(`cannot write ${file}: it exists already`, { cause })
  }
}

const SCAFFOLD = `# What this collector is made of. Build it with: npx millrace build --config builder.yaml
dist:
  name: NAME
  description: A collector with what we use
  version: 1.0.0
  output_path: ./dist
  # config: ./config.yaml                # used when none is given

# A component of this package, by the type that configurations use: npx millrace components
receivers:
  - component: otlp

processors:
  - component: memory_limiter
  - component: batch
  # - path: ./redact.ts                  # a file of yours: npx millrace new processor redact
  # - package: some-package@1.2.3        # an npm package, installed beside this file

exporters:
  - component: otlp_grpc
  - component: debug
  # - gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter v0.130.0   # as in a Go builder's manifest

extensions:
  - component: health_check

# Where configurations may come from. Default: all of them.
# providers:
#   - component: env
#   - component: file
`
