import type { Migration, MigrationProvider } from 'kysely/migration'
import type { DatabaseKind } from '../session.ts'
import { initial } from './0001-initial.ts'

/** Every change of the schema, in the order of names. A released one never changes again. */
export function migrations(kind: DatabaseKind): MigrationProvider {
  const all: Readonly<Record<string, Migration>> = { '0001-initial': initial(kind) }
  return { getMigrations: async () => ({ ...all }) }
}
