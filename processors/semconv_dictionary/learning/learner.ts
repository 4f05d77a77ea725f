import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Clock, Host, Logger, PipelineContext, ReadinessPart, Recorders, Route, Timer } from '#core/component'
import type { Payload } from '#core/data'
import type { Observation } from '../analysis/observation.ts'
import { Classifier } from '../classification/classifier.ts'
import { Conventions } from '../classification/conventions.ts'
import { loadConventions } from '../classification/load-conventions.ts'
import type { SemconvDictionaryConfig } from '../config.ts'
import { Dictionary } from '../dictionary/dictionary.ts'
import { routesOf } from '../routes/routes.ts'
import type { View } from '../routes/view.ts'
import { Snapshots } from '../snapshots/snapshots.ts'
import { Keeper } from '../storage/keeper.ts'
import { semconvDictionaryInstruments } from '../telemetry.ts'
import { Analyzer } from './analyzer.ts'

/** What a program that embeds the processor, or a test, may change. */
export interface LearnerOptions {
  /** The module that analysis workers run. */
  readonly worker?: URL
}

/** Milliseconds between two looks for expired entries; each look takes one shard. */
const AGEING = 1_000
/** Entries that are classified before the event loop gets a turn. */
const CLASSIFIED = 200

/**
 * What all instances of a dictionary processor share: the dictionary, the threads that feed it, and its place in
 * storage. Opened by the first instance that starts, closed by the last one that stops.
 */
export class Learner implements View {
  readonly config: SemconvDictionaryConfig
  readonly context: PipelineContext
  readonly dictionary: Dictionary
  readonly keeper: Keeper
  readonly classifier = new Classifier()
  readonly snapshots: Snapshots
  readonly clock: Clock
  readonly logger: Logger
  readonly routes: readonly Route[]
  readonly readiness: readonly ReadinessPart[]
  readonly #analyzer: Analyzer
  readonly #instruments: Recorders<typeof semconvDictionaryInstruments>
  readonly #users = new Set<object>()
  readonly #stops: (() => void)[] = []
  #opening: Promise<void> = Promise.resolve()
  #closing: Promise<void> = Promise.resolve()
  #timer: Timer | undefined
  #saving: Promise<unknown> = Promise.resolve()
  #classifying: Promise<void> = Promise.resolve()
  #seed = randomInt(2 ** 32) | 0
  #loaded = false
  /** When entries were last aged, in monotonic milliseconds. */
  #aged = 0
  #host: Host | undefined

  constructor(config: SemconvDictionaryConfig, context: PipelineContext, options: LearnerOptions = {}) {
    const { clock, logger } = context
    this.config = config
    this.context = context
    this.clock = clock
    this.logger = logger
    this.#instruments = context.meter.bind(semconvDictionaryInstruments)
    const { added, evictions } = this.#instruments
    this.dictionary = new Dictionary(
      {
        shards: config.shard_count,
        budget: config.global_budget,
        perAttributeCap: config.per_attribute_cap,
        staleAfter: config.stale_after,
        purgeAfter: config.purge_after,
        clock,
      },
      { added: () => added.add(1), removed: (_, reason) => evictions.add(1, REASON[reason]) },
    )
    this.dictionary.isStandard = entry => this.classifier.isStandard(entry)
    this.keeper = new Keeper(logger, clock)
    this.snapshots = new Snapshots(this.keeper, logger)
    this.routes = routesOf(this)
    this.readiness = [
      { name: 'dictionary', read: () => ({ state: this.#loaded ? 'OK' : 'STARTING' }) },
      { name: 'storage', read: () => (config.storage === undefined ? { state: 'OK' } : this.keeper.state) },
    ]
    this.#analyzer = new Analyzer(
      {
        workers: config.worker_count || Math.max(1, availableParallelism() >> 1),
        ringSize: config.ring_buffer_size,
        ringBytes: config.ring_buffer_bytes,
        clock,
        logger,
        ...(options.worker === undefined ? {} : { worker: options.worker }),
      },
      {
        observed: (observation, seconds) => this.#observed(observation, seconds),
        dropped: items => this.#instruments.drops.add(items),
      },
    )
  }

  /** The host, while an instance runs. */
  get host(): Host | undefined {
    return this.#host
  }

  /** Whether what was stored has been read. */
  get loaded(): boolean {
    return this.#loaded
  }

  /** Resolves once what was stored has been read. */
  get ready(): Promise<void> {
    return this.#opening
  }

  /** Resolves once the conventions have been read, or could not be. */
  get classified(): Promise<void> {
    return this.#opening.then(() => this.#classifying)
  }

  /** An instance starts. What was stored is read in the background; what comes meanwhile waits to be analysed. */
  async open(user: object, host: Host): Promise<void> {
    this.#users.add(user)
    if (this.#users.size > 1) return
    await this.#closing
    this.#host = host
    this.#observe()
    this.#opening = this.#open(host)
  }

  /** An instance stops. */
  async close(user: object): Promise<void> {
    if (!this.#users.delete(user) || this.#users.size > 0) return this.#closing
    this.#closing = this.#close()
    return this.#closing
  }

  /** Takes a payload in to learn from it, some time. Never waits. */
  offer(payload: Payload): void {
    this.#analyzer.offer(payload)
  }

  async #open(host: Host): Promise<void> {
    const { storage } = this.config
    const { clock, id, logger } = this.context
    const begun = clock.monotonic()
    const seed =
      storage === undefined
        ? this.#seed
        : await this.keeper.open(host, storage, id, this.dictionary).catch(() => this.#seed)
    this.#seed = seed
    await this.snapshots.load().catch(error => logger.warn('Snapshots cannot be read', { error }))
    this.#loaded = true
    this.#classifying = this.#classify()
    this.#analyzer.begin({ seed })
    this.#schedule()
    logger.info('Dictionary is ready', { entries: this.dictionary.size, ms: Math.round(clock.monotonic() - begun) })
  }

  /** Reads the conventions in the background; entries have no classification until then. */
  async #classify(): Promise<void> {
    const { config, keeper, classifier, dictionary, logger } = this
    try {
      const conventions = await loadConventions(config.registry_paths, keeper.store).catch(error => {
        logger.error('Registries cannot be read, entries are compared with the standard alone', { error })
        return loadConventions([], keeper.store)
      })
      classifier.use(new Conventions(conventions))
      let entries = 0
      for (const entry of dictionary.entries()) {
        classifier.verdict(entry)
        if (++entries % CLASSIFIED === 0) await setImmediate()
      }
      logger.debug('Conventions are loaded', { names: conventions.length })
    } catch (error) {
      logger.error('Conventions cannot be read, entries are not classified', { error })
    }
  }

  async #close(): Promise<void> {
    await this.#opening
    await this.#classifying
    await this.#analyzer.close()
    this.#timer?.cancel()
    this.#timer = undefined
    await this.#saving
    await this.keeper.save(this.dictionary, true)
    await this.keeper.close()
    for (const stop of this.#stops.splice(0)) stop()
    this.#loaded = false
    this.#host = undefined
  }

  #observe(): void {
    const { waiting, running, lag, entries, budgetUsed, budgetLimit, skipped } = this.#instruments
    this.#stops.push(
      waiting.observe(() => this.#analyzer.waiting),
      running.observe(() => this.#analyzer.running),
      lag.observe(() => this.#analyzer.lag / 1000),
      entries.observe(() => this.dictionary.size),
      budgetUsed.observe(() => this.dictionary.usedSlots),
      budgetLimit.observe(() => this.dictionary.options.budget),
      skipped.observe(() => this.dictionary.skipped),
    )
    this.#instruments.drops.add(0)
    this.#instruments.analyzed.add(0)
  }

  async #observed(observation: Observation, seconds: number): Promise<void> {
    const { dictionary } = this
    const before = dictionary.size
    await dictionary.apply(observation)
    await this.#classifyNew()
    this.#analyzer.forget(dictionary.epoch)
    this.#instruments.analyzed.add(observation.items)
    this.#instruments.processing.record(seconds)
    const { logger } = this.context
    if (!logger.enabled('debug')) return
    logger.debug('Dictionary upserted', {
      names: observation.names.length,
      added: dictionary.size - before,
      hashes: observation.hashes.length / 3,
      entries: dictionary.size,
    })
    logger.debug('Ring buffer and worker pool', {
      waiting: this.#analyzer.waiting,
      running: this.#analyzer.running,
      lag: this.#analyzer.lag,
    })
  }

  /** So that a query need not classify many at once. */
  async #classifyNew(): Promise<void> {
    let entries = 0
    for (const entry of this.dictionary.changed) {
      this.classifier.verdict(entry)
      if (++entries % CLASSIFIED === 0) await setImmediate()
    }
  }

  /** Stores and ages, again and again. */
  #schedule(): void {
    const { clock } = this.context
    this.#timer = clock.after(this.config.persist_interval, () => {
      if (clock.monotonic() - this.#aged >= AGEING) {
        this.dictionary.age()
        this.#aged = clock.monotonic()
      }
      this.#saving = this.#save().then(() => {
        if (this.#timer !== undefined) this.#schedule()
      })
    })
  }

  async #save(): Promise<void> {
    const { clock, logger } = this.context
    const begun = clock.monotonic()
    const written = await this.keeper.save(this.dictionary)
    if (written === undefined) this.#instruments.persistErrors.add(1)
    if (!written) return
    this.#instruments.persisted.add(written)
    this.#instruments.persistDuration.record((clock.monotonic() - begun) / 1000)
    logger.debug('Persistence batch written', { entries: written })
  }
}

const REASON = { expired: { reason: 'expired' }, budget: { reason: 'budget' } } as const
