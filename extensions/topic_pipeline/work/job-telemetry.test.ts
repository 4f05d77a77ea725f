import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { FakeClock, RecordingMeter } from '#core/testing'
import type { ClaimedJob } from '../model/job.ts'
import { topicPipelineInstruments } from '../telemetry.ts'
import { JobTelemetry } from './job-telemetry.ts'

const ASKED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const JOB: ClaimedJob = {
  ...{ id: 7, stage: 'ANALYZE', status: 'PROCESSING', topicId: 3, order: null, attempts: 0, stalls: 0 },
  ...{ runAt: 0, leaseUntil: 1, fence: 1, owner: 'a', errorMessage: null, traceparent: ASKED, createdAt: 0 },
  completedAt: null,
}

test('what a job asks for belongs to the span of its run, which links to what asked for the job', async () => {
  const exporter = new InMemorySpanExporter()
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test')
  const recorders = new RecordingMeter().bind(topicPipelineInstruments)
  const telemetry = new JobTelemetry(tracer, new FakeClock(), recorders)
  expect(telemetry.within(JOB).traceparent).toBe(ASKED)

  let within: string | null = null
  await telemetry.around(JOB, async () => {
    within = telemetry.within(JOB).traceparent
    return { outcome: 'completed' }
  })
  const [span] = exporter.getFinishedSpans()
  expect(span!.name).toBe('analyze topic')
  expect(`00-${span!.spanContext().traceId}-${span!.spanContext().spanId}-01`).toBe(within)
  expect(span!.links.map(({ context }) => context.spanId)).toEqual(['b7ad6b7169203331'])
  expect(telemetry.within(JOB).traceparent).toBe(ASKED)
})
