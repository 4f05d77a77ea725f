import type { Schema } from '#core/config'
import type { Signal } from '#core/data'
import type { Component, Context, PipelineContext, Transform } from './component.ts'
import type { Consumer, Consumers } from './consumer.ts'
import type { Command } from './contributions.ts'

/** The Collector's stability levels. */
export type Stability = 'unmaintained' | 'deprecated' | 'development' | 'alpha' | 'beta' | 'stable'

/** `C`: what `create` receives; `N`: the type's name; `W`: what a program writes, see `Written`. */
interface DefinitionBase<C, N extends string, W> {
  /** The name in configurations, equal to the folder's. */
  readonly type: N
  /** Older names that are accepted with a warning. */
  readonly aliases?: readonly string[]
  /** What it is for, in a sentence. */
  readonly description: string
  readonly config: Schema<C, W>
  /** The file that it was loaded from, when the distribution did not bring it. Set by the collector. */
  readonly source?: string
  /** Faults that span several options: one sentence each, prefixed with `path: ` (joined by `::`) when about one key. */
  check?(config: C): Iterable<string>
  /** Subcommands that the distribution's CLI gains with this component. */
  readonly commands?: readonly Command[]
}

export interface ReceiverDefinition<C = unknown, S extends Signal = Signal, N extends string = string, W = unknown>
  extends DefinitionBase<C, N, W> {
  readonly kind: 'receiver'
  readonly stability: { readonly [K in S]?: Stability }
  /** Once an id; `next` has a consumer for each signal that some pipeline wants from it. */
  create(config: C, next: Consumers<S>, context: PipelineContext): Component
}

export interface ProcessorDefinition<C = unknown, S extends Signal = Signal, N extends string = string, W = unknown>
  extends DefinitionBase<C, N, W> {
  readonly kind: 'processor'
  readonly stability: { readonly [K in S]?: Stability }
  /**
   * What decides where in a pipeline it belongs: `first` refuses data that comes too fast, so it must see it before
   * anything is held; `drops` leaves out part of the data, `batches` gathers what is left, so it belongs behind. Who
   * checks a configuration is warned when they stand otherwise.
   */
  readonly order?: 'first' | 'drops' | 'batches'
  /**
   * Once an id and pipeline. A processor that only edits records returns a {@link Transform} and leaves `next` alone;
   * one that keeps, merges or multiplies payloads returns a Consumer that hands on to `next`.
   */
  create(config: C, signal: S, next: Consumer, context: PipelineContext): Processor
}
export type Processor = Transform | (Component & Consumer)

export interface ExporterDefinition<C = unknown, S extends Signal = Signal, N extends string = string, W = unknown>
  extends DefinitionBase<C, N, W> {
  readonly kind: 'exporter'
  readonly stability: { readonly [K in S]?: Stability }
  /** Once an id, for all its signals; `payload.signal` tells them apart. */
  create(config: C, context: PipelineContext): Component & Consumer
}

/** The outputs of a connector: a consumer that feeds all pipelines, and each pipeline by id for those that route. */
export interface Router<S extends Signal = Signal> extends Consumer<S> {
  readonly pipelines: ReadonlyMap<string, Consumer<S>>
}

export interface ConnectorDefinition<C = unknown, N extends string = string, W = unknown>
  extends DefinitionBase<C, N, W> {
  readonly kind: 'connector'
  /** For each signal taken in, the signals given out. */
  readonly stability: { readonly [From in Signal]?: { readonly [To in Signal]?: Stability } }
  /** Once an id and pair of signals. */
  create(config: C, from: Signal, to: Signal, next: Router, context: PipelineContext): Component & Consumer
}

export interface ExtensionDefinition<C = unknown, N extends string = string, W = unknown>
  extends DefinitionBase<C, N, W> {
  readonly kind: 'extension'
  readonly stability: Stability
  /** Ids of extensions that must start before this one. */
  dependencies?(config: C): Iterable<string>
  create(config: C, context: Context): Component
}

// biome-ignore lint/suspicious/noExplicitAny: a list of definitions holds configurations of many types, checked where each is defined
type Any = any

export type Definition =
  | ReceiverDefinition<Any, Any>
  | ProcessorDefinition<Any, Any>
  | ExporterDefinition<Any, Any>
  | ConnectorDefinition<Any>
  | ExtensionDefinition<Any>

type Without<D> = Omit<D, 'kind'>

export function defineReceiver<C, S extends Signal, N extends string, W>(
  d: Without<ReceiverDefinition<C, S, N, W>>,
): ReceiverDefinition<C, S, N, W> {
  return { kind: 'receiver', ...d }
}
export function defineProcessor<C, S extends Signal, N extends string, W>(
  d: Without<ProcessorDefinition<C, S, N, W>>,
): ProcessorDefinition<C, S, N, W> {
  return { kind: 'processor', ...d }
}
export function defineExporter<C, S extends Signal, N extends string, W>(
  d: Without<ExporterDefinition<C, S, N, W>>,
): ExporterDefinition<C, S, N, W> {
  return { kind: 'exporter', ...d }
}
export function defineConnector<C, N extends string, W>(
  d: Without<ConnectorDefinition<C, N, W>>,
): ConnectorDefinition<C, N, W> {
  return { kind: 'connector', ...d }
}
export function defineExtension<C, N extends string, W>(
  d: Without<ExtensionDefinition<C, N, W>>,
): ExtensionDefinition<C, N, W> {
  return { kind: 'extension', ...d }
}

/** What a distribution is: a name and the components it knows. Nothing registers itself. */
export interface Distribution {
  readonly command: string
  readonly description: string
  readonly version: string
  readonly receivers: readonly ReceiverDefinition<Any, Any>[]
  readonly processors: readonly ProcessorDefinition<Any, Any>[]
  readonly exporters: readonly ExporterDefinition<Any, Any>[]
  readonly connectors: readonly ConnectorDefinition<Any>[]
  readonly extensions: readonly ExtensionDefinition<Any>[]
}
