import type { Configured } from './configuration.ts'
import { sameConfigured } from './same-configured.ts'

interface State {
  readonly configured: Configured
  readonly value: object
  readonly users: Set<object>
}

/**
 * State that the instances of one component id share, one for each configuration of it. It lives from the first
 * instance that asks until the last one that asked has stopped.
 */
export class SharedStates {
  readonly #states = new Set<State>()

  /** The state for `configured`, made at the first call; `user` stands for the instance that asks. */
  use<T extends object>(configured: Configured, user: object, create: () => T): T {
    let state = this.#find(configured)
    if (state === undefined) {
      state = { configured, value: create(), users: new Set() }
      this.#states.add(state)
    }
    state.users.add(user)
    return state.value as T
  }

  /** The instance has stopped. State that nobody uses any more is disposed of, if it can be. */
  async leave(configured: Configured, user: object): Promise<void> {
    const state = this.#find(configured)
    if (state === undefined || !state.users.delete(user) || state.users.size > 0) return
    this.#states.delete(state)
    await dispose(state.value)
  }

  #find(configured: Configured): State | undefined {
    return this.#states.values().find(state => sameConfigured(state.configured, configured))
  }
}

async function dispose(value: Partial<Disposable & AsyncDisposable>): Promise<void> {
  if (value[Symbol.asyncDispose] !== undefined) await value[Symbol.asyncDispose]!()
  else value[Symbol.dispose]?.()
}
