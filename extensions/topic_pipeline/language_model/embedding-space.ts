import type { LanguageModelConfig } from './config.ts'
import { normalized } from './hashed-embedding.ts'
import { type EmbeddingSpace, ModelError } from './language-model.ts'
import type { Provider } from './provider.ts'

/**
 * From which cosine similarities texts are the same, of one group, related. Each kind of vector has its own; those of
 * words are measured by `test/bench/topic-thresholds.ts`.
 */
export const THRESHOLDS = {
  semantic: { duplicate: 0.95, group: 0.8, related: 0.7 },
  lexical: { duplicate: 0.75, group: 0.3, related: 0.12 },
} as const satisfies Record<EmbeddingSpace['kind'], EmbeddingSpace['thresholds']>

/** What the vectors of `provider` mean; `undefined` without one. */
export function embeddingSpace(
  config: LanguageModelConfig,
  provider: Provider | undefined,
): EmbeddingSpace | undefined {
  const model = provider?.modelFor('EMBEDDING')
  if (provider === undefined || model === undefined) return undefined
  const { dimensions, thresholds } = config.embedding
  const kind = provider.local ? 'lexical' : 'semantic'
  const { duplicate, group, related } = THRESHOLDS[kind]
  return {
    model: provider.local ? model : `${provider.name}/${model}`,
    dimensions,
    kind,
    thresholds: {
      duplicate: thresholds.duplicate ?? duplicate,
      group: thresholds.group ?? group,
      related: thresholds.related ?? related,
    },
  }
}

/**
 * A vector as it is kept: of unit length, filled up with zeros, which changes no cosine.
 * @throws {ModelError} `invalid` when it is longer than declared: a part of it would mean something else
 */
export function spaceVector(vector: readonly number[] | Float32Array, dimensions: number, model: string): Float32Array {
  if (vector.length > dimensions) {
    throw new ModelError(
      'invalid',
      `${model} gives vectors of ${vector.length} dimensions, but embedding::dimensions is ${dimensions}; set it higher, or request_dimensions where the model can shorten them`,
    )
  }
  const kept = new Float32Array(dimensions)
  kept.set(vector)
  return normalized(kept)
}
