import { randomUUID } from 'node:crypto'
import type { Context, Route } from '#core/component'
import { createFetcher } from '#core/net'
import { createAnalyzer } from './analysis/create-analyzer.ts'
import { relatedTopics } from './analysis/related-topics.ts'
import { routesOf } from './api/routes.ts'
import type { TopicService } from './api/service.ts'
import type { TopicPipelineConfig } from './config.ts'
import { createExtractor } from './extraction/create-extractor.ts'
import { createReader } from './extraction/reader.ts'
import { compareDrafts } from './generation/compare-drafts.ts'
import { exportMarkdown } from './generation/export-markdown.ts'
import { Writer } from './generation/writer.ts'
import { JobRunner } from './jobs/job-runner.ts'
import type { JobHandler } from './jobs/job-runner-options.ts'
import { createLanguageModel } from './language_model/create-language-model.ts'
import type { Topic } from './model/topic.ts'
import { createScanners } from './scanners/create-scanners.ts'
import { ScanSchedule } from './scanning/scan-schedule.ts'
import { ScanService } from './scanning/scan-service.ts'
import { openStore } from './store/open-store.ts'
import { StyleStudio } from './style/style-studio.ts'
import { topicPipelineInstruments } from './telemetry.ts'
import { createAnalyzeHandler } from './work/analyze-topic.ts'
import { createExtractHandler } from './work/extract-topic.ts'
import { asAnswer, GenerationDesk } from './work/generation-desk.ts'
import { JobTelemetry } from './work/job-telemetry.ts'
import { ScanDesk } from './work/scan-desk.ts'
import { setbackOf } from './work/setback.ts'
import { Uploads } from './work/uploads.ts'

/** A running topic pipeline. */
export interface Pipeline {
  readonly routes: readonly Route[]
  /** Lets what was begun end or gives it back, then closes everything. */
  close(): Promise<void>
}

type Closing = () => void | Promise<void>

/**
 * Opens the store and starts everything over it.
 * @throws {Error} when the store cannot be opened; what was opened before is closed again
 */
export async function startPipeline(config: TopicPipelineConfig, context: Context): Promise<Pipeline> {
  /** In the order of opening. */
  const closing: Closing[] = []
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each()
  }
  try {
    return { routes: routesOf(await assemble(config, context, closing)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(config: TopicPipelineConfig, context: Context, closing: Closing[]): Promise<TopicService> {
  const { clock, logger, tracer, meter, build } = context
  const { database, data_dir: dataDir, fetch, scan, jobs } = config
  const random = Math.random
  const recorders = meter.bind(topicPipelineInstruments)

  const store = await openStore({ database, dataDir, logger, alone: true })
  closing.push(() => store.close())
  const contact = fetch.contact === '' ? '' : ` (+${fetch.contact})`
  const userAgent = `${build.command}/${build.version}${contact}`
  const fetcher = createFetcher({ userAgent })
  closing.push(() => fetcher.close())
  const { allow_private: allowPrivate, max_size: maxBytes, timeout } = fetch
  const guarded = createFetcher({ userAgent, guard: { allowPrivate }, maxBytes, timeout })
  closing.push(() => guarded.close())
  const reader = createReader()
  closing.push(() => reader.close())

  const { usage, memory } = store
  const about = { clock, logger, tracer, meter, random }
  const model = createLanguageModel(config.language_model, { fetcher, usage, cache: memory, ...about })
  closing.push(() => model.close())
  const scanners = createScanners(config.sources, { fetcher, guarded, reader, memory, clock, logger, random })
  const { extractPage } = createExtractor({ guarded, reader, clock, userAgent, hostInterval: fetch.host_interval })
  const related = (topic: Topic, limit: number) => relatedTopics(store, topic, limit, model.embedding)

  const studio = new StyleStudio({ store, model, clock })
  const uploads = new Uploads({ store, model, clock, logger, largest: config.max_upload_size, extractPage })
  closing.push(() => uploads.close())
  const writer = new Writer({ store, model, studio, clock, logger, tracer, related })
  const desk = new GenerationDesk({
    ...{ store, clock, regenerations: config.max_regenerations },
    write: (order, signal, traceparent) => writer.write(order, signal, traceparent),
    unavailable: () => model.unavailable('GENERATION'),
  })
  closing.push(() => desk.close())

  const byType = new Map(scanners.map(scanner => [scanner.type, scanner]))
  const analyzer = createAnalyzer({
    ...{ store, model, clock, logger, meter },
    options: {
      qualityThreshold: config.quality_threshold,
      relevanceThreshold: config.relevance_threshold,
      languages: config.languages,
      minimumLength: type => byType.get(type)?.minimumLength,
    },
  })
  const handlers: Readonly<Record<string, JobHandler>> = {
    EXTRACT: createExtractHandler({ store, clock, scanners: byType, extractPage }),
    ANALYZE: createAnalyzeHandler({ store, analyzer, maxAttempts: jobs.max_attempts }),
    GENERATE: (job, signal) => desk.handle(job, signal),
  }
  const telemetry = new JobTelemetry(tracer, clock, recorders)
  const runner = new JobRunner({
    ...{ store, clock, logger },
    // Two processes may use one PostgreSQL; the embedded store belongs to one alone, whose jobs are taken back at once.
    owner: database === '' ? 'embedded' : randomUUID(),
    ...(database === '' ? {} : { pollInterval: jobs.poll_interval }),
    concurrency: { EXTRACT: jobs.extract, ANALYZE: jobs.analyze, GENERATE: jobs.generate },
    lease: jobs.lease,
    rules: {
      maxAttempts: jobs.max_attempts,
      maxStalls: jobs.max_stalls,
      baseDelay: jobs.retry_delay,
      maxDelay: jobs.max_retry_delay,
      random,
    },
    grace: jobs.grace,
    keepCompleted: jobs.keep_completed,
    keepFailed: jobs.keep_failed,
    handle: (job, signal) => handlers[job.stage]!(telemetry.within(job), signal),
    classify: (error, job) => setbackOf(error, job, clock.now()),
    around: (job, run) => telemetry.around(job, run),
    ended: (job, end) => desk.ended(job.id, end),
  })
  const service = new ScanService({
    ...{ store, scanners, clock, logger, tracer, maxResults: scan.max_results },
    ended: (source, outcome) => telemetry.scanned(source, outcome),
  })
  const schedule = scan.enabled
    ? new ScanSchedule({ store, service, clock, logger, timeZone: scan.time_zone })
    : undefined
  closing.push(
    () => service.close(),
    () => runner.stop(),
    () => schedule?.close(),
  )
  if (database === '') await store.scans.abandon(clock.now())
  await runner.start()
  schedule?.look()
  void uploads.embedMissing()
  const scans = new ScanDesk({ store, service, clock })

  return {
    ...{ store, clock, logger, scanners, related },
    limits: { uploadBytes: config.max_upload_size, regenerations: config.max_regenerations },
    scanAll: () => scans.scanAll(),
    wake: () => schedule?.look(),
    upload: upload => uploads.add(upload),
    importPage: url => uploads.importPage(url),
    analyzeStyle: upload =>
      studio.analyze(upload).catch(error => {
        throw asAnswer(error)
      }),
    compositeStyle: () => studio.composite(),
    generate: order => desk.order(order),
    exportDraft: exportMarkdown,
    compare: (before, after) => compareDrafts(before.text, after.text),
  }
}
