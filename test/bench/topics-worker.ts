/**
 * A worker of `topics-workers.ts`: `node topics-worker.ts <database> <source> <owner>`. Does jobs until it is told to
 * stop by the end of its input.
 * @module
 */
import { systemClock } from '#core/component'
import { RecordingLogger } from '#core/testing'
import { JobRunner } from '../../extensions/topic_pipeline/jobs/job-runner.ts'
import { analysis, RULES } from '../../extensions/topic_pipeline/store/conformance/samples.test-support.ts'
import { openStore } from '../../extensions/topic_pipeline/store/open-store.ts'

const [database, source, owner] = process.argv.slice(2) as [string, string, string]
const logger = new RecordingLogger()
const store = await openStore({ database, dataDir: '', logger })
const runner = new JobRunner({
  store,
  clock: systemClock,
  logger,
  owner,
  lease: 60_000,
  pollInterval: 2000,
  rules: RULES,
  grace: 5000,
  classify: error => ({ kind: 'retry', message: String(error) }),
  handle: async (job, signal) => {
    const id = job.topicId!
    if (job.stage === 'ANALYZE') return tables => tables.topics.analyzed(id, analysis())
    const text = await (await fetch(source, { signal })).text()
    return async tables => {
      await tables.topics.extracted(id, { text, status: 'COMPLETED' })
      await tables.jobs.enqueue('ANALYZE', id, Date.now())
    }
  },
})
process.stdout.write('ready')
process.stdin.once('data', () => void runner.start())
process.stdin.once('end', async () => {
  await runner.stop()
  await store.close()
})
