import type { EntryKind } from '../analysis/vocabulary.ts'
import type { Convention } from './convention.ts'
import { NearNames } from './near-names.ts'

/** What registries say, by name. Of several that define a name the first counts. */
export class Conventions {
  readonly #byKind: { readonly [K in EntryKind]: KindTable }

  constructor(conventions: readonly Convention[]) {
    const of = (kind: EntryKind) => new KindTable(conventions.filter(each => each.kind === kind))
    this.#byKind = { attribute: of('attribute'), metric: of('metric'), event: of('event') }
  }

  /** What is said of a name, itself or through the template it is made from. */
  find(kind: EntryKind, name: string): Convention | undefined {
    return this.#byKind[kind].find(name)
  }

  /** The name that was probably meant by one that is not defined. */
  near(kind: EntryKind, name: string): string | undefined {
    return this.#byKind[kind].near.find(name)
  }

  /** The longest defined namespace that a name stands in. */
  namespace(kind: EntryKind, name: string): string | undefined {
    return this.#byKind[kind].namespace(name)
  }
}

class KindTable {
  readonly #names = new Map<string, Convention>()
  readonly #templates = new Map<string, Convention>()
  readonly #namespaces = new Set<string>()
  #near: NearNames | undefined

  constructor(conventions: readonly Convention[]) {
    for (const convention of conventions) {
      const table = convention.template === true ? this.#templates : this.#names
      if (!table.has(convention.name)) table.set(convention.name, convention)
      const { name } = convention
      for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1))
        this.#namespaces.add(name.slice(0, dot))
    }
  }

  find(name: string): Convention | undefined {
    const exact = this.#names.get(name)
    if (exact !== undefined || this.#templates.size === 0) return exact
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const template = dot < name.length - 1 ? this.#templates.get(name.slice(0, dot + 1)) : undefined
      if (template !== undefined) return template
    }
    return undefined
  }

  get near(): NearNames {
    // Names in use come before deprecated ones, so that nobody is sent to a name that is on its way out.
    this.#near ??= new NearNames(
      [...this.#names.values()]
        .sort((a, b) => Number(a.deprecated !== undefined) - Number(b.deprecated !== undefined))
        .map(({ name }) => name),
    )
    return this.#near
  }

  namespace(name: string): string | undefined {
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const parent = name.slice(0, dot)
      if (this.#namespaces.has(parent) || this.#names.has(parent)) return parent
    }
    return undefined
  }
}
