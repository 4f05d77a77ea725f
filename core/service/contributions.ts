import type { Component, ReadinessPart, Route } from '#core/component'

/** What running components offer beside their place in a pipeline. */
export class Contributions {
  readonly #components = new Set<Component>()
  readonly #watchers = new Set<() => void>()

  add(component: Component): void {
    this.#components.add(component)
    if (offers(component)) this.#announce()
  }

  remove(component: Component): void {
    if (this.#components.delete(component) && offers(component)) this.#announce()
  }

  routes(): readonly Route[] {
    return [...new Set([...this.#components].flatMap(component => listOf(component, 'routes')))]
  }

  readiness(): readonly ReadinessPart[] {
    return [...new Set([...this.#components].flatMap(component => listOf(component, 'readiness')))]
  }

  /** Calls `changed` after every change. Returns how to stop it. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  #announce(): void {
    for (const changed of [...this.#watchers]) changed()
  }
}

function offers(component: Component): boolean {
  return listOf(component, 'routes').length + listOf(component, 'readiness').length > 0
}

/** A component that fails to say what it offers offers nothing; the others' routes stay. */
function listOf<K extends 'routes' | 'readiness'>(component: Component, name: K): NonNullable<Component[K]> {
  try {
    return component[name] ?? []
  } catch {
    return []
  }
}
