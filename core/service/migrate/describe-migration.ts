import { type Fault, formatExcerpt, formatFault, formatOrigin } from '#core/config'
import { type Diagnostic, diagnosticOf } from '../diagnostics/diagnostic.ts'
import type { Migration } from './migration.ts'
import type { PrunedPipeline } from './prune.ts'
import type { Surveyed } from './survey.ts'

/** What a migration comes to, in words. Ends with a line break. */
export function describeMigration({ components, pipelines, faults }: Migration, command: string): string {
  const missing = components.filter(({ state }) => state === 'missing')
  const changing = components.filter(({ state }) => state === 'changes')
  const renamed = components.filter(one => one.renamed !== undefined)
  return [
    summary(components, command),
    ...heading('Missing', missing.map(describeMissing)),
    ...heading('To be changed', [...changing.flatMap(one => one.faults), ...faults].map(describeFault)),
    ...heading(
      'Renamed, old names are accepted',
      renamed.map(one => `  ${one.path.join('::')} -> ${one.renamed}`),
    ),
    ...heading('Pipelines', pipelines.map(describePipeline)),
    '',
  ].join('\n')
}

function summary(components: readonly Surveyed[], command: string): string {
  const count = (state: Surveyed['state']) => components.filter(one => one.state === state).length
  const [runs, changes, missing] = [count('runs'), count('changes'), count('missing')]
  return `Of ${components.length} components ${command} runs ${runs} as they are and ${changes} with changes; ${missing} are missing.`
}

function heading(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines]
}

function describeMissing({ path, origin, nearest, advice }: Surveyed): string {
  const place = origin === undefined ? '' : `${formatOrigin(origin)}  `
  const near = nearest.length === 0 ? [] : [`    Nearest: ${nearest.join(', ')}`]
  return [`  ${place}${path.join('::')}`, `    ${advice}`, ...near].join('\n')
}

function describeFault(fault: Fault): string {
  const excerpt = fault.excerpt === undefined ? '' : `\n${formatExcerpt(fault.excerpt, '    ')}`
  return `  ${formatFault(fault)}${excerpt}`
}

function describePipeline({ id, state, without }: PrunedPipeline): string {
  if (state === 'runs') return `  ${id}: runs`
  const names = without.join(', ')
  return state === 'shorter' ? `  ${id}: runs without ${names}` : `  ${id}: cannot run without ${names}`
}

/** A migration as programs read it. Keys do not change; further ones may come. */
export interface MigrationReport {
  readonly runs: boolean
  readonly components: readonly {
    readonly kind: string
    readonly id: string
    readonly state: Surveyed['state']
    /** The type's name here, when another one was written. */
    readonly renamed?: string
    readonly path: string
    readonly file?: string
    readonly line?: number
    readonly column?: number
    readonly nearest: readonly string[]
    readonly advice?: string
    /** What must change. */
    readonly diagnostics: readonly Diagnostic[]
  }[]
  readonly pipelines: readonly PrunedPipeline[]
  /** What must change outside of components. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A migration as programs read it. */
export function reportOf({ runs, components, pipelines, faults }: Migration): MigrationReport {
  return {
    runs,
    components: components.map(({ kind, id, state, renamed, path, origin, nearest, advice, faults }) => ({
      kind,
      id,
      state,
      ...(renamed !== undefined && { renamed }),
      path: path.join('::'),
      ...(origin && { file: origin.file, line: origin.line, column: origin.column }),
      nearest,
      ...(advice !== undefined && { advice }),
      diagnostics: faults.map(fault => diagnosticOf(fault)),
    })),
    pipelines,
    diagnostics: faults.map(fault => diagnosticOf(fault)),
  }
}
