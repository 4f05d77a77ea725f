import type { ComponentId, Kind } from '#core/component'

/** What file names end in, so that a Collector's file of the same name is left alone. */
export const SUFFIX = '.mdb'

/**
 * The file of one component's store, as the Collector names it: kind, type, name and store name joined by `_`, every
 * character outside `A-Z a-z 0-9 . - _` as `~` and its code in hexadecimal.
 */
export function fileName(kind: Kind, id: ComponentId, name: string): string {
  const parts = [kind, id.type, id.name, ...(name === '' ? [] : [name])]
  return parts.join('_').replace(/[^A-Za-z0-9._-]/gu, escaped) + SUFFIX
}

function escaped(character: string): string {
  return `~${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
