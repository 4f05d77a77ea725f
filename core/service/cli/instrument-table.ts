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

/** The declarations among what a module exports: records of them, by any name. */
export function instrumentsOf(exported: Readonly<Record<string, unknown>>): InstrumentDeclaration[] {
  return Object.values(exported).flatMap(value => {
    if (typeof value !== 'object' || value === null) return []
    const members: unknown[] = Object.values(value)
    return members.length > 0 && members.every(isInstrument) ? members : []
  })
}

function isInstrument(value: unknown): value is InstrumentDeclaration {
  if (typeof value !== 'object' || value === null) return false
  const { kind, name, unit } = value as Partial<InstrumentDeclaration>
  return typeof name === 'string' && typeof unit === 'string' && kind !== undefined && kind in KINDS
}
