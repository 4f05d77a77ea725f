import { workerData } from 'node:worker_threads'
import { DraftFuzzer } from './draft-fuzzer.test-support.ts'

/** Runs the fuzzer with the seeds from 0 up to the number it is started with. In a worker the sources run as Node runs
 * them, several times as fast as the test runner's transformed ones. */
for (let seed = 0; seed < (workerData as number); seed++) {
  try {
    new DraftFuzzer(seed).run()
  } catch (cause) {
    throw new Error(`The draft of seed ${seed} differs: ${cause}`, { cause })
  }
}
