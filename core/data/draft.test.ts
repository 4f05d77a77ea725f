import { describe, test } from 'vitest'
import { DraftFuzzer } from './draft-fuzzer.test-support.ts'

/** Raise it to look longer: seeds go from 0 upwards. */
const RUNS = 3000

describe('a draft', () => {
  test('does what parsing, changing and writing objects does, whatever the payload and the edits', () => {
    for (let seed = 0; seed < RUNS; seed++) {
      try {
        new DraftFuzzer(seed).run()
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause })
      }
    }
  }, 120_000)
})
