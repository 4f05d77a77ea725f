import type { Component, ReadinessPart, Route } from '#core/component'
import type { Offered } from '#core/pipeline'

/** What running components offer beside their place in a pipeline. */
export class Contributions {
  readonly #offered = new Map<Component, Offered>()
  readonly #watchers = new Set<() => void>()

  add(component: Component, offered: Offered): void {
    this.#offered.set(component, offered)
    if (offersAny(offered)) this.#announce()
  }

  remove(component: Component): void {
    const offered = this.#offered.get(component)
    this.#offered.delete(component)
    if (offered !== undefined && offersAny(offered)) this.#announce()
  }

  routes(): readonly Route[] {
    return this.#all('routes')
  }

  readiness(): readonly ReadinessPart[] {
    return this.#all('readiness')
  }

  /** Calls `changed` after every change. Returns how to stop it. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  /** Instances of one component may share what they offer. */
  #all<K extends keyof Offered>(name: K): NonNullable<Offered[K]>[number][] {
    const all: NonNullable<Offered[K]>[number][] = []
    for (const offered of this.#offered.values()) all.push(...listOf(offered, name))
    return [...new Set(all)]
  }

  #announce(): void {
    for (const changed of [...this.#watchers]) changed()
  }
}

function offersAny(offered: Offered): boolean {
  return listOf(offered, 'routes').length + listOf(offered, 'readiness').length > 0
}

/** A component that fails to say what it offers offers nothing; the others' routes stay. */
function listOf<K extends keyof Offered>(offered: Offered, name: K): NonNullable<Offered[K]> {
  try {
    return offered[name] ?? []
  } catch {
    return []
  }
}
