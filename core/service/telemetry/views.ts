import type { InstrumentDeclaration, Labels } from '#core/component'
import { OWN_SCOPE } from './own-records.ts'
import type { ViewConfig } from './view-schema.ts'
import { nameFilter, wildcard } from './wildcard.ts'

/** An instrument as a view shows it. */
export interface Viewed {
  readonly declaration: InstrumentDeclaration
  readonly labels: (labels: Labels) => Labels
}

/** What becomes of an instrument: `undefined` when it is left out. */
export type Views = (declaration: InstrumentDeclaration) => Viewed | undefined

/** Shows everything as it is declared. */
export const NO_VIEWS: Views = declaration => ({ declaration, labels: labels => labels })

/** The first view that fits an instrument decides on it. Dots in names count as the underscores they are scraped as. */
export function viewsOf(configured: readonly ViewConfig[]): Views {
  const views = configured.map(config => ({ fits: fitsOf(config), apply: applyOf(config) }))
  return declaration => (views.find(({ fits }) => fits(declaration))?.apply ?? NO_VIEWS)(declaration)
}

function fitsOf({ selector }: ViewConfig): (declaration: InstrumentDeclaration) => boolean {
  const { instrument_name, instrument_type, unit, meter_name, meter_version, meter_schema_url } = selector
  const name = wildcard(instrument_name === '' ? '*' : undotted(instrument_name))
  const kind = instrument_type?.replace('observable_', '').replaceAll('_', '')
  const here = ['', OWN_SCOPE.name].includes(meter_name) && meter_version === '' && meter_schema_url === ''
  return declaration =>
    here &&
    name.test(undotted(declaration.name)) &&
    (kind === undefined || kind === declaration.kind) &&
    (unit === '' || unit === declaration.unit)
}

function applyOf({ stream }: ViewConfig): Views {
  const { name, description, aggregation, attribute_keys } = stream
  if (aggregation.drop !== undefined) return () => undefined
  const boundaries = aggregation.explicit_bucket_histogram?.boundaries
  const kept = nameFilter(attribute_keys.included.map(undotted), attribute_keys.excluded.map(undotted))
  const labels = (all: Labels) => Object.fromEntries(Object.entries(all).filter(([label]) => kept(undotted(label))))
  return declaration => {
    const viewed = {
      ...declaration,
      ...(name === '' ? {} : { name }),
      ...(description === '' ? {} : { description }),
    }
    const buckets = viewed.kind === 'histogram' && boundaries !== undefined ? { ...viewed, boundaries } : viewed
    return { declaration: buckets, labels }
  }
}

function undotted(name: string): string {
  return name.replaceAll('.', '_')
}
