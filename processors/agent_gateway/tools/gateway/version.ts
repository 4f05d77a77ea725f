/** A release of the gateway: year, month, number within the month. */
export interface GatewayVersion {
  /** Without a leading `v` and without what follows a dash. */
  readonly text: string
  readonly parts: readonly [year: number, month: number, number: number]
}

const FORM = /^v?(\d{4})\.(\d{1,2})\.(\d{1,4})(?:[-+].*)?$/

/** Reads `2026.4.25`, `v2026.4.25` or `2026.5.3-1`; what follows the dash does not count. Undefined for anything else. */
export function parseVersion(text: string): GatewayVersion | undefined {
  const match = FORM.exec(text.trim())
  if (match === null) return undefined
  const [year, month, number] = match.slice(1).map(Number) as [number, number, number]
  return { text: `${year}.${month}.${number}`, parts: [year, month, number] }
}

/** Whether `version` is older than `other`, a version as text. */
export function isBefore(version: GatewayVersion, other: string): boolean {
  const parts = parseVersion(other)?.parts ?? []
  for (const [index, part] of version.parts.entries()) {
    if (part !== parts[index]) return part < (parts[index] ?? 0)
  }
  return false
}
