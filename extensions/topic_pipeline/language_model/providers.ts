import type { Counter } from '#core/component'
import { AnthropicProvider } from './anthropic-provider.ts'
import type { LanguageModelConfig, ProviderConfig } from './config.ts'
import type { LanguageModelDeps } from './language-model-deps.ts'
import { LocalProvider } from './local-provider.ts'
import { OpenAiProvider } from './openai-provider.ts'
import type { Provider } from './provider.ts'

/** Who takes part, in the order in which they are asked. */
export interface Providers {
  readonly chat: readonly Provider[]
  /** One alone: vectors of two models cannot be compared. */
  readonly embedding: Provider | undefined
}

/** The providers that the configuration names. */
export function createProviders(config: LanguageModelConfig, deps: LanguageModelDeps, retries: Counter): Providers {
  const local = new LocalProvider(config.embedding.dimensions)
  const provider = (of: ProviderConfig | undefined): Provider | undefined => {
    const name = of?.name || of?.type || ''
    const onRetry = () => retries.add(1, { 'gen_ai.provider.name': name })
    const apiDeps = { fetcher: deps.fetcher, clock: deps.clock, random: () => deps.random(), onRetry }
    switch (of?.type) {
      case 'openai':
        return new OpenAiProvider(of, config.max_retries, apiDeps)
      case 'anthropic':
        return new AnthropicProvider(of, config.max_retries, apiDeps)
      case 'local':
        return local
      default:
        return undefined
    }
  }
  const primary = provider(config.primary)
  const fallback = provider(config.fallback)
  const chat = [primary, fallback].filter(each => each !== undefined)
  if (primary === undefined) return { chat, embedding: undefined }
  return { chat, embedding: primary.modelFor('EMBEDDING') === undefined ? local : primary }
}
