import type { InstrumentDeclaration } from '#core/component'

/** A component's own metrics as a Markdown table, for its README. */
export function instrumentTable(instruments: readonly InstrumentDeclaration[]): string {
  if (instruments.length === 0) return 'None of its own.\n'
  const rows = instruments.map(({ name, kind, unit, level = 'basic', labels = [], description }) =>
    [`\`${name}\``, KINDS[kind], `\`${unit}\``, level, labels.map(label => `\`${label}\``).join(', '), description]
      .map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))
      .join(' | '),
  )
  const head = ['Metric | Kind | Unit | From level | Labels | Description', '--- | --- | --- | --- | --- | ---']
  return `${[...head, ...rows].map(row => `| ${row} |`).join('\n')}\n`
}

const KINDS: Readonly<Record<InstrumentDeclaration['kind'], string>> = {
  counter: 'counter',
  updowncounter: 'up-down counter',
  gauge: 'gauge',
  histogram: 'histogram',
}

/** The declarations among what a module exports: records of them, in the order of their names, each once. */
export function instrumentsOf(exported: Readonly<Record<string, unknown>>): InstrumentDeclaration[] {
  const found = new Map<string, InstrumentDeclaration>()
  for (const name of Object.keys(exported).sort()) {
    const value = exported[name]
    if (typeof value !== 'object' || value === null) continue
    const members: unknown[] = Object.values(value)
    if (!members.every(isInstrument)) continue
    for (const member of members) if (!found.has(member.name)) found.set(member.name, member)
  }
  return [...found.values()]
}

function isInstrument(value: unknown): value is InstrumentDeclaration {
  if (typeof value !== 'object' || value === null) return false
  const { kind, name, unit } = value as Partial<InstrumentDeclaration>
  return typeof name === 'string' && typeof unit === 'string' && kind !== undefined && kind in KINDS
}
