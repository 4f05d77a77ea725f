import type { Category, NewCategory } from '../model/category.ts'
import type { ClaimedJob, GenerationOrder, Job, Setback } from '../model/job.ts'
import type { ScanOutcome, ScanRun } from '../model/scan.ts'
import type { ExtractionStatus, JobStage, JobStatus, OutputFormat, TopicStage } from '../model/stages.ts'
import type { FoundTopic, ScoreReasons, Topic } from '../model/topic.ts'
import type { CompositeProfile, Draft, NewDraft, NewUpload, StyleProfile, Upload } from '../model/writing.ts'

/**
 * Everything that the topic pipeline keeps, in one database. Every call is atomic; {@link TopicStore.transaction} makes
 * several calls one. Times in milliseconds since the Unix epoch, given by the caller.
 */
export interface TopicStore extends Tables {
  /** What stands in for it in logs, without credentials: a path or `postgres://host/database`. */
  readonly name: string
  /**
   * Runs `work` on tables of one transaction. Never waits for the network inside, and writes through the given tables
   * alone: the store itself would wait for the end of the transaction, so it throws.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /** Calls `listener` after jobs became PENDING through this store. @returns what ends that */
  onJobs(listener: () => void): () => void
  close(): Promise<void>
}

/** The tables, of the store or of one transaction. */
export interface Tables {
  readonly categories: CategoryTable
  readonly topics: TopicTable
  readonly groups: GroupTable
  readonly jobs: JobTable
  readonly scans: ScanTable
  readonly memory: MemoryTable
  readonly uploads: UploadTable
  readonly drafts: DraftTable
  readonly vectors: VectorTable
  readonly usage: UsageTable
  /** Until the end of the transaction nobody else is in a section of this name. Without meaning outside a transaction. */
  exclusive(section: 'grouping' | 'generation'): Promise<void>
}

export interface CategoryTable {
  /** By id, with the number of topics of each. */
  list(): Promise<(Category & { readonly topicCount: number })[]>
  get(id: number): Promise<Category | undefined>
  create(category: NewCategory, now: number): Promise<number>
  /** Changes what `patch` names. `false`: no such category. */
  update(id: number, patch: Partial<NewCategory>): Promise<boolean>
  /** Its topics stay, without a category. `false`: no such category. */
  delete(id: number): Promise<boolean>
}

export interface FeedQuery {
  /** From 0. */
  readonly page: number
  readonly size: number
  readonly categoryId?: number
  readonly sourceType?: string
  /** Collected at or after. */
  readonly from?: number
  /** Collected before. */
  readonly before?: number
  readonly minQuality?: number
  /** Only titles and summaries that contain it, ignoring case. */
  readonly text?: string
  /** Default `analyzed`. */
  readonly stage?: TopicStage
}

export interface TopicTable {
  /**
   * Keeps what is new, each with a PENDING EXTRACT job. Known is what has the same source and external id, or the same
   * canonical URL ({@link FoundTopic.canonicalUrl}, canonicalised by the caller; else the URL).
   * @returns how many were new
   */
  add(found: readonly FoundTopic[], categoryId: number | null, now: number, traceparent?: string): Promise<number>
  /** Newest collected first, then highest id. Without their texts: `content` is absent, `extractedContent` is `null`. */
  feed(query: FeedQuery): Promise<{ readonly topics: Topic[]; readonly total: number }>
  get(id: number): Promise<Topic | undefined>
  /** Those that exist, in the order of `ids`. */
  many(ids: readonly number[]): Promise<Topic[]>
  /** Analysed topics of a group, best quality first. */
  ofGroup(groupId: string, limit: number): Promise<Topic[]>
  /**
   * After EXTRACT: stage `extracted`, from any stage.
   * @throws {StageConflict} when there is no such topic
   */
  extracted(id: number, content: { readonly text: string | null; readonly status: ExtractionStatus }): Promise<void>
  /**
   * After ANALYZE, from stage `extracted`.
   * @throws {StageConflict} when it is in another stage
   */
  analyzed(id: number, result: AnalysisResult): Promise<void>
  /**
   * From stage `scanned` or `extracted`. What `result` does not name stays as it is.
   * @throws {StageConflict} when it is in another stage
   */
  rejected(id: number, reason: string, result: Partial<AnalysisResult>): Promise<void>
  /** Sets stage `extracted` again with a PENDING ANALYZE job; `false` when there is no such topic or it was never extracted. */
  reanalyze(id: number, now: number): Promise<boolean>
  /** Ids of other topics, not rejected, that share at least one fingerprint band, lowest id first. */
  sharingBands(id: number, bands: readonly number[], limit: number): Promise<number[]>
  /** Engagement scores of a source's topics collected since, for percentiles; at most `limit`. */
  engagements(sourceType: string, since: number, limit: number): Promise<number[]>
  /** All four stages, ordered by name. */
  byStage(): Promise<{ readonly stage: TopicStage; readonly count: number }[]>
  /** Of topics that are analysed; `week` counts those collected at or after `weekFrom`. */
  statistics(weekFrom: number): Promise<TopicStatistics>
}

export interface AnalysisResult {
  readonly qualityScore: number
  readonly relevanceScore: number
  readonly summary: string
  readonly tags: readonly string[]
  readonly language: string | null
  readonly groupId: string | null
  readonly reasons: ScoreReasons
  /** 32-bit hashes; topics with a band in common may be near-duplicates. */
  readonly bands: readonly number[]
}

export interface TopicStatistics {
  readonly total: number
  readonly week: number
  readonly byCategory: { readonly name: string; readonly id: number; readonly count: number }[]
  readonly bySource: { readonly name: string; readonly count: number }[]
}

export interface GroupTable {
  /** @returns the new group's id, a UUID that never changes */
  create(model: string, centroid: Float32Array, members: readonly number[], now: number): Promise<string>
  /** The centroid moves, the topic belongs to it. */
  join(groupId: string, topicId: number, vector: Float32Array, now: number): Promise<void>
  /** Groups of that model that grew since, nearest centroid first. */
  nearest(model: string, vector: Float32Array, since: number, limit: number): Promise<Neighbour<string>[]>
  get(groupId: string): Promise<{ readonly id: string; readonly size: number } | undefined>
}

/** Cosine similarity, -1 to 1. */
export interface Neighbour<Id> {
  readonly id: Id
  readonly similarity: number
}

export interface VectorTable {
  /** Without it nothing is kept and nothing found. */
  readonly available: boolean
  /** `vector` has unit length. Replaces what was there. */
  set(of: 'topic' | 'upload', id: number, model: string, vector: Float32Array, now: number): Promise<void>
  get(
    of: 'topic' | 'upload',
    id: number,
  ): Promise<{ readonly model: string; readonly vector: Float32Array } | undefined>
  /** Nearest first; only vectors of that model and dimension, for topics only analysed ones; set since `since`. */
  nearest(
    of: 'topic' | 'upload',
    model: string,
    vector: Float32Array,
    limit: number,
    since?: number,
  ): Promise<Neighbour<number>[]>
  /** Ids that have no vector of that model, lowest first: what is to be embedded anew after a change of model. */
  missing(of: 'topic' | 'upload', model: string, limit: number): Promise<number[]>
}

export interface ClaimOptions {
  readonly stages: readonly JobStage[]
  readonly owner: string
  readonly now: number
  readonly leaseUntil: number
  readonly limit: number
}

export interface JobTable {
  /**
   * A topic has at most one open EXTRACT and one open ANALYZE job: where there is one, its id is the answer.
   * @returns the job's id
   */
  enqueue(stage: JobStage, topicId: number | null, now: number, more?: JobDetails): Promise<number>
  /** PENDING jobs that are due, oldest first, now held by `owner`. Several processes never get the same one. */
  claim(options: ClaimOptions): Promise<ClaimedJob[]>
  /** Holds on to jobs. @returns ids of those that are no longer ours */
  renew(jobs: readonly ClaimedJob[], leaseUntil: number): Promise<number[]>
  /**
   * Ends a job and what it did as one: `effects` run in the same transaction, if the job is still ours.
   * @returns `false`, and nothing was written, when somebody else has taken it over
   */
  finish(job: ClaimedJob, now: number, effects: (tables: Tables) => Promise<void>): Promise<boolean>
  /** @returns what it is now; `undefined` when somebody else has taken it over */
  fail(job: ClaimedJob, setback: Setback, now: number, rules: RetryRules): Promise<JobStatus | undefined>
  /** Gives claims back as if they had never been made. */
  release(jobs: readonly ClaimedJob[], now: number): Promise<void>
  /** Ends leases that ran out, and those of `owner` at once: PENDING again, or FAILED after too many. @returns how many */
  recover(now: number, rules: RetryRules, owner?: string): Promise<number>
  /** When the next PENDING job is due or the next lease ends; `undefined`: there is none. */
  nextDue(stages: readonly JobStage[]): Promise<number | undefined>
  get(id: number): Promise<Job | undefined>
  /** FAILED → PENDING with all attempts left; `false`: no such failed job. */
  retry(id: number, now: number): Promise<boolean>
  /** Every stage and status that has jobs. */
  counts(): Promise<{ readonly stage: JobStage; readonly status: JobStatus; readonly count: number }[]>
  /** FAILED jobs, newest first, with their topics. */
  failures(limit: number): Promise<(Job & { readonly topicTitle: string | null; readonly topicUrl: string | null })[]>
  /** Forgets COMPLETED and FAILED jobs that ended before. @returns how many */
  prune(completedBefore: number, failedBefore: number): Promise<number>
}

export interface JobDetails {
  readonly order?: GenerationOrder
  readonly traceparent?: string
  readonly runAt?: number
}

export interface RetryRules {
  readonly maxAttempts: number
  readonly maxStalls: number
  /** Milliseconds; doubles with each attempt up to `maxDelay`, times 0.5 to 1 at random. */
  readonly baseDelay: number
  readonly maxDelay: number
  /** 0 to 1. */
  random(): number
}

export interface ScanTable {
  /**
   * Starts a run unless one of this category and source is running with a lease that still holds.
   * @returns its id, or `undefined`
   */
  begin(categoryId: number, source: string, now: number, leaseUntil: number): Promise<number | undefined>
  finish(id: number, outcome: ScanOutcome, now: number): Promise<void>
  /** Holds on to a run. */
  renew(id: number, leaseUntil: number): Promise<void>
  /** Ends all runs, whoever holds them: for a store that no other process has open. @returns how many */
  abandon(now: number): Promise<number>
  /** Newest first. */
  history(limit: number): Promise<ScanRun[]>
  running(now: number): Promise<number>
  /**
   * When a category was last scanned at each of its sources: start of the last run that ended, or still has its lease;
   * a run from the future, begun before the clock was put right, is none.
   */
  lastRuns(now: number): Promise<{ readonly categoryId: number; readonly source: string; readonly startedAt: number }[]>
}

/** What scanners and calls remember across restarts: ETags, quotas, pauses, cached answers. JSON values. */
export interface MemoryTable {
  get(section: string, key: string): Promise<unknown>
  set(section: string, key: string, value: unknown, now: number): Promise<void>
  delete(section: string, key: string): Promise<void>
  /** Forgets what was set before. */
  prune(section: string, before: number): Promise<void>
}

export interface UploadTable {
  create(upload: NewUpload, now: number): Promise<number>
  get(id: number): Promise<Upload | undefined>
  /** Newest first. */
  list(limit: number, offset: number): Promise<{ readonly uploads: Upload[]; readonly total: number }>
  /** Its vector goes too. */
  delete(id: number): Promise<boolean>
  setProfile(id: number, profile: StyleProfile, now: number): Promise<void>
  /** Newest first. */
  analyzed(limit: number): Promise<Upload[]>
  composite(): Promise<CompositeProfile | undefined>
  setComposite(composite: CompositeProfile, now: number): Promise<void>
}

export interface DraftFilter {
  readonly topicId?: number
  readonly groupId?: string
  readonly format?: OutputFormat
  readonly limit: number
  readonly offset: number
}

export interface DraftTable {
  /** Its revision is the number of earlier drafts of the same topic or group and format. */
  create(draft: NewDraft, now: number): Promise<number>
  get(id: number): Promise<Draft | undefined>
  /** Newest first. */
  list(filter: DraftFilter): Promise<{ readonly drafts: Draft[]; readonly total: number }>
  delete(id: number): Promise<boolean>
  setFeedback(id: number, feedback: string): Promise<void>
  /** Regenerations made or under way (PENDING and PROCESSING jobs) of a topic or group in a format. */
  regenerations(order: Pick<GenerationOrder, 'topicId' | 'groupId' | 'format'>): Promise<number>
}

/** One call to a language model, for costs and budgets. */
export interface UsageRecord {
  readonly task: string
  readonly provider: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number | null
  readonly topicId?: number
  readonly at: number
}

export interface UsageTable {
  add(record: UsageRecord): Promise<void>
  /** US dollars since. */
  cost(since: number): Promise<number>
  summary(since: number): Promise<
    {
      readonly model: string
      readonly task: string
      readonly calls: number
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cost: number
    }[]
  >
}
