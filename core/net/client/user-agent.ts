import type { BuildInfo } from '#core/component'

/** `<description>/<version> (<os>/<arch>)` with Go's names for both, as the Collector introduces itself. */
export function userAgent(build: Pick<BuildInfo, 'description' | 'version'>): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const text = `${build.description}/${build.version} (${os}/${ARCH[process.arch] ?? process.arch})`
  return text.replace(/[^\x20-\x7e]/g, '?')
}

const ARCH: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }
