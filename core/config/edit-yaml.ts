import { parseDocument } from 'yaml'

/**
 * The text of a YAML document without what is at some paths, its comments kept. Undefined when that cannot be: a path
 * that is not there, an anchor taken out that is needed elsewhere.
 * @param paths keys and, of items of lists, indexes; one after the other
 */
export function removeFromYaml(text: string, paths: readonly (readonly (string | number)[])[]): string | undefined {
  try {
    const document = parseDocument(text, { schema: 'failsafe', merge: false, uniqueKeys: false, logLevel: 'silent' })
    if (document.errors.length > 0) return undefined
    for (const path of paths) if (!document.deleteIn(path)) return undefined
    return document.toString({ lineWidth: 0 })
  } catch {
    return undefined
  }
}
