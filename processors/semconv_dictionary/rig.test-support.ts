import { type Component, type Consumer, NO_CONTEXT, systemClock } from '#core/component'
import type { Payload } from '#core/data'
import { MemoryStore, type StorageExtension, type Store } from '#core/storage'
import { configure, Sink, TestHost, testContext } from '#core/testing'
import { semconvDictionaryConfig } from './config.ts'
import { Learner, type LearnerOptions } from './learning/learner.ts'
import { SemconvDictionaryProcessor } from './processor.ts'

/** Stores that outlive the components that use them, and can be told to fail. */
export class FlakyStorage implements StorageExtension {
  readonly stores = new Map<string, MemoryStore>()
  readonly opened: string[] = []
  /** Names of stores that cannot be opened. */
  readonly broken = new Set<string>()
  failing = false

  async openStore(_kind: unknown, _id: unknown, name: string): Promise<Store> {
    this.opened.push(name)
    if (this.broken.has(name)) throw new Error(`Cannot open "${name}": it is not an LMDB file of version 2`)
    const store = this.stores.get(name) ?? new MemoryStore()
    this.stores.set(name, store)
    return new Proxy<Store>(store, {
      get: (target, property) => {
        if (property === 'close') return async () => {}
        if (property === 'batch' && this.failing) return () => Promise.reject(new Error('no space left on device'))
        const value: unknown = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

/** A processor for each signal over one dictionary, in front of a sink. `await using` shuts it down. */
export async function running(written: object = {}, options: LearnerOptions & { storage?: StorageExtension } = {}) {
  const host = new TestHost(options.storage === undefined ? {} : { storage: options.storage })
  const context = testContext({ id: 'semconv_dictionary', pipelines: ['traces/grpc'], clock: systemClock })
  const config = configure(semconvDictionaryConfig, {
    worker_count: 1,
    persist_interval: '20ms',
    ...(options.storage === undefined ? {} : { storage: 'storage' }),
    ...written,
  })
  const learner = new Learner(config, context, options)
  const sink = new Sink()
  const make = (signal: 'traces' | 'metrics' | 'logs'): Component & Consumer =>
    new SemconvDictionaryProcessor(learner, signal, sink, context)
  const processors = { traces: make('traces'), metrics: make('metrics'), logs: make('logs') }
  for (const processor of Object.values(processors)) await processor.start!(host)
  const shutdown = async () => {
    for (const processor of Object.values(processors)) await processor.shutdown!()
  }
  return {
    host,
    context,
    learner,
    dictionary: learner.dictionary,
    sink,
    processors,
    send: (payload: Payload) => processors[payload.signal as 'traces'].consume(payload, NO_CONTEXT),
    counter: (name: string) => context.meter.value(name),
    shutdown,
    [Symbol.asyncDispose]: shutdown,
  }
}
