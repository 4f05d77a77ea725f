import type { MemoryTable } from '../store/store.ts'

/** What is known of a source across restarts. Times in milliseconds since the Unix epoch. */
export interface SourceState {
  /** The source is left alone until then; {@link reason} says why. */
  readonly notBefore?: number
  readonly reason?: string
  /** Failures in a row. */
  readonly failures?: number
  /** The source asked to wait so long between two calls: no reason to give up a scan. */
  readonly holdUntil?: number
  /** Calls made in a period that the provider counts by. */
  readonly quota?: { readonly period: string; readonly used: number }
}

const SECTION = 'source'

/** Reads and writes the state of one source. */
export class SourceMemory {
  readonly #memory: MemoryTable
  readonly #source: string

  constructor(memory: MemoryTable, source: string) {
    this.#memory = memory
    this.#source = source
  }

  async state(): Promise<SourceState> {
    const kept = await this.#memory.get(SECTION, this.#source)
    return typeof kept === 'object' && kept !== null ? (kept as SourceState) : {}
  }

  /** Changes what `patch` names; `undefined` removes it. */
  async change(patch: { readonly [K in keyof SourceState]: SourceState[K] | undefined }, now: number): Promise<void> {
    const changed = Object.entries({ ...(await this.state()), ...patch }).filter(([, value]) => value !== undefined)
    await this.#memory.set(SECTION, this.#source, Object.fromEntries(changed), now)
  }
}
