import { POSTGRES_URL, postgres, SQLITE } from '../store/conformance/place.test-support.ts'
import type { TopicStore } from '../store/store.ts'

export interface TestDatabase {
  readonly store: TopicStore
  close(): Promise<void>
}

/** Every database that the store runs on and that there is, each opened anew and empty. */
export function databases(): readonly { readonly name: string; open(): Promise<TestDatabase> }[] {
  const kinds = POSTGRES_URL === undefined ? [SQLITE] : [SQLITE, postgres(POSTGRES_URL)]
  return kinds.map(({ name, create }) => ({
    name,
    async open() {
      const place = await create()
      return { store: await place.open(), close: async () => place[Symbol.asyncDispose]() }
    },
  }))
}
