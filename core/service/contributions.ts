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
    return [...new Set([...this.#components].flatMap(component => component.routes ?? []))]
  }

  readiness(): readonly ReadinessPart[] {
    return [...new Set([...this.#components].flatMap(component => component.readiness ?? []))]
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
  return (component.routes?.length ?? 0) + (component.readiness?.length ?? 0) > 0
}
