/**
 * The type of a whole configuration, put together from what the components say of their options: an editor completes
 * it, and the compiler finds misspelt keys, wrong values and components that are not there.
 * @module
 */
import type { Definition, Distribution } from '#core/component'
import type { Written } from '#core/config'
import type { Signal } from '#core/data'
import type { WrittenTelemetry } from '#core/service'

/** The components that a program composes: a list of definitions of any kinds, or a distribution. */
export type Components = readonly Definition[] | Distribution

type KindSections = {
  readonly receivers: 'receiver'
  readonly processors: 'processor'
  readonly exporters: 'exporter'
  readonly connectors: 'connector'
  readonly extensions: 'extension'
}

/** The definitions of one kind. */
type Of<C, K extends Definition['kind']> = C extends readonly (infer D)[]
  ? Extract<D, { readonly kind: K }>
  : C extends Distribution
    ? Extract<
        C[keyof Distribution] extends infer L ? (L extends readonly (infer D)[] ? D : never) : never,
        { readonly kind: K }
      >
    : never

type TypeOf<D> = D extends { readonly type: infer N extends string } ? N : never

/** `type` or `type/name`. */
type IdOf<D> = TypeOf<D> | `${TypeOf<D>}/${string}`

/** What stands under the id of a component; nothing, where nothing must be written. */
type OptionsOf<D> = D extends { readonly config: infer S }
  ? undefined extends Written<S>
    ? Written<S> | null
    : Written<S>
  : never

type SectionOf<D extends Definition> = {
  readonly [N in TypeOf<D> as N | `${N}/${string}`]?: OptionsOf<Extract<D, { readonly type: N }>>
}

interface PipelineOf<C> {
  readonly receivers: readonly IdOf<Of<C, 'receiver' | 'connector'>>[]
  readonly processors?: readonly IdOf<Of<C, 'processor'>>[]
  readonly exporters: readonly IdOf<Of<C, 'exporter' | 'connector'>>[]
}

/** A configuration of the components `C`, with the keys of the YAML. Text may hold references such as `${env:TOKEN}`. */
export type ConfigOf<C extends Components> = {
  readonly [S in keyof KindSections]?: SectionOf<Of<C, KindSections[S]>>
} & {
  readonly service: {
    readonly extensions?: readonly IdOf<Of<C, 'extension'>>[]
    readonly telemetry?: WrittenTelemetry
    readonly pipelines: { readonly [P in Signal | `${Signal}/${string}`]?: PipelineOf<C> }
  }
}
