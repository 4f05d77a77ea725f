import { describe } from 'vitest'
import { ON_POSTGRES, POSTGRES_URL, postgres } from '../conformance/place.test-support.ts'
import { describeTopicStore } from '../topic-store.conformance.test-support.ts'

describe.skipIf(POSTGRES_URL === undefined)(`The store in ${ON_POSTGRES}`, () =>
  describeTopicStore(postgres(POSTGRES_URL!)),
)
