import { describe } from 'vitest'
import { SQLITE } from '../conformance/place.test-support.ts'
import { describeTopicStore } from '../topic-store.conformance.test-support.ts'

describe('The store in SQLite', () => describeTopicStore(SQLITE))
