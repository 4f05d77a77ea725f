import { type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { type Clock, type Recorders, spanContextOf, traceparentOf } from '#core/component'
import type { JobEnd } from '../jobs/job-runner-options.ts'
import type { ClaimedJob } from '../model/job.ts'
import type { ScanOutcome } from '../model/scan.ts'
import type { topicPipelineInstruments } from '../telemetry.ts'

/** Spans and metrics of jobs and scans. */
export class JobTelemetry {
  readonly #tracer: Tracer
  readonly #clock: Clock
  readonly #recorders: Recorders<typeof topicPipelineInstruments>
  /** Sources whose quota is told, with what was told last. */
  readonly #quotas = new Map<string, number>()

  /** `traceparent` of the spans of jobs under way, by job. */
  readonly #spans = new Map<number, string>()

  constructor(tracer: Tracer, clock: Clock, recorders: Recorders<typeof topicPipelineInstruments>) {
    this.#tracer = tracer
    this.#clock = clock
    this.#recorders = recorders
  }

  /** Runs a job in a span that links to what asked for it: minutes or days may lie between. */
  async around(job: ClaimedJob, run: () => Promise<JobEnd>): Promise<JobEnd> {
    const { stage } = job
    const began = this.#clock.monotonic()
    this.#recorders.latency.record(Math.max(0, this.#clock.now() - job.runAt) / 1000, { stage })
    const span = this.#start(job)
    this.#spans.set(job.id, traceparentOf(span))
    try {
      const end = await run()
      this.#recorders.jobs.add(1, { stage, outcome: end.outcome })
      span.setAttribute('topics.job.outcome', end.outcome)
      if (end.error !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: end.error instanceof Error ? end.error.message : '' })
      }
      return end
    } finally {
      this.#spans.delete(job.id)
      this.#recorders.duration.record((this.#clock.monotonic() - began) / 1000, { stage })
      span.end()
    }
  }

  /** A job under way as its handler sees it: what it asks for comes from the span of its run. */
  within(job: ClaimedJob): ClaimedJob {
    return { ...job, traceparent: this.#spans.get(job.id) ?? job.traceparent }
  }

  scanned(source: string, outcome: ScanOutcome): void {
    const { scans, found, added, notModified, quota } = this.#recorders
    scans.add(1, { source, status: outcome.status.toLowerCase() })
    found.add(outcome.topicsFound, { source })
    added.add(outcome.topicsNew, { source })
    notModified.add(outcome.notModified, { source })
    if (outcome.quotaRemaining === null) return
    if (!this.#quotas.has(source)) quota.observe(() => this.#quotas.get(source), { source })
    this.#quotas.set(source, outcome.quotaRemaining)
  }

  #start({ id, stage, topicId, attempts, traceparent }: ClaimedJob): Span {
    const context = traceparent === null ? undefined : spanContextOf(traceparent)
    return this.#tracer.startSpan(`${stage.toLowerCase()} topic`, {
      attributes: {
        'topics.job.id': id,
        'topics.job.stage': stage,
        'topics.job.attempts': attempts,
        ...(topicId !== null && { 'topics.topic.id': topicId }),
      },
      ...(context !== undefined && { links: [{ context }] }),
    })
  }
}
