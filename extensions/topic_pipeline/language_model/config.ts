import { type Static, t } from '#core/config'

/** How a provider is spoken to. */
export const PROVIDER_TYPES = ['local', 'openai', 'anthropic', 'none'] as const

const models = t.section(
  {
    default: t.string({
      default: '',
      description: 'Model for chat tasks that have none of their own, for example `gpt-5-mini`.',
    }),
    relevance: t.string({ default: '', description: 'Model that judges topics.' }),
    classification: t.string({ default: '', description: 'Model that sorts texts.' }),
    summarization: t.string({ default: '', description: 'Model that summarises and describes writing styles.' }),
    generation: t.string({ default: '', description: 'Model that writes drafts.' }),
    embedding: t.string({
      default: '',
      description:
        'Model that turns texts into vectors, for example `text-embedding-3-small`. Empty: the local `hashing-v1`, which compares words, not meaning.',
    }),
  },
  { description: 'Which model takes which task.' },
)

const providerFields = {
  type: t.oneOf(PROVIDER_TYPES, {
    default: 'local',
    description:
      '`openai`: any server with the OpenAI API (OpenAI, Ollama, llama.cpp, vLLM, LM Studio). `anthropic`: the Anthropic API. `local`: no model, deterministic templates. `none`: nobody.',
  }),
  name: t.string({
    default: '',
    description: 'What telemetry and costs call it, for example `ollama`; empty: its type.',
  }),
  base_url: t.string({
    default: '',
    description:
      'Where its API begins, for example `http://localhost:11434/v1`. Empty: `https://api.openai.com/v1` or `https://api.anthropic.com/v1`.',
  }),
  api_key: t.secret({ default: '', description: 'Key that is sent with each call; empty: none.' }),
  headers: t.headers({ default: {}, description: 'Sent with each call besides.' }),
  extra_body: t.map(t.any({ description: 'A value.' }), {
    default: {},
    description:
      'Put into every chat request besides, where a server takes more than its API says, for example `reasoning_effort: low`.',
  }),
  models,
} as const

const thresholds = t.section(
  {
    duplicate: t.optional(
      t.number({
        minimum: 0,
        maximum: 1,
        description: 'Texts are the same from here; by default 0.95, for `hashing-v1` 0.75.',
      }),
    ),
    group: t.optional(
      t.number({
        minimum: 0,
        maximum: 1,
        description: 'Texts are of one group from here; by default 0.8, for `hashing-v1` 0.3.',
      }),
    ),
    related: t.optional(
      t.number({
        minimum: 0,
        maximum: 1,
        description: 'Texts are related from here; by default 0.7, for `hashing-v1` 0.12.',
      }),
    ),
  },
  { description: 'Cosine similarities. They belong to the embedding model: another one needs others.' },
)

/** The options under `language_model` of the topic pipeline. */
export const languageModelConfig = t.section(
  {
    primary: t.section(providerFields, { description: 'Who is asked first.' }),
    fallback: t.whenPresent(t.section(providerFields), {
      description: 'Who is asked when the first one does not answer. Vectors never come from here.',
    }),
    embedding: t.section(
      {
        dimensions: t.integer({
          default: 1536,
          minimum: 8,
          maximum: 16_000,
          description: 'Length of vectors. Shorter ones are filled up with zeros, longer ones are refused.',
        }),
        request_dimensions: t.boolean({
          default: false,
          description: 'Ask the model for vectors of this length, where it can shorten them itself.',
        }),
        max_characters: t.integer({
          default: 2000,
          minimum: 1,
          description: 'So much of a text is looked at, from its beginning.',
        }),
        batch_size: t.integer({ default: 16, minimum: 1, maximum: 2048, description: 'Most texts in one call.' }),
        thresholds,
      },
      { description: 'How texts become vectors.' },
    ),
    timeout: t.duration({ default: '1m', description: 'Longest wait for one answer.' }),
    deadline: t.duration({
      default: '3m',
      description: 'Longest wait altogether: repetitions, repair and fallback included.',
    }),
    max_retries: t.integer({
      default: 2,
      minimum: 0,
      maximum: 10,
      description: 'Repetitions of a call after 408, 409, 429, 5xx or a broken connection.',
    }),
    max_concurrent: t.integer({ default: 4, minimum: 1, description: 'Most calls under way at a time.' }),
    prices: t.map(
      t.section({
        input: t.number({ default: 0, minimum: 0, description: 'For a million tokens that are read.' }),
        output: t.number({ default: 0, minimum: 0, description: 'For a million tokens that are written.' }),
      }),
      { default: {}, description: 'US dollars by model. Without a price costs are not known.' },
    ),
    daily_budget: t.number({
      default: 0,
      minimum: 0,
      description:
        'US dollars a day (UTC). Once they are spent topics are judged by heuristics and drafts are refused. 0: no limit.',
    }),
    cache_ttl: t.duration({
      default: '720h',
      description:
        'How long answers are kept, so that work done again after a crash is not paid twice. `0s`: not at all.',
    }),
    capture_content: t.boolean({
      default: false,
      description: 'Put prompts and answers into spans. They hold unpublished writing.',
    }),
  },
  { description: 'Who judges, summarises and writes.' },
)

export type LanguageModelConfig = Static<typeof languageModelConfig>
export type ProviderConfig = LanguageModelConfig['primary']

/** What the types of the options do not say: one sentence each, prefixed with `path: `. */
export function* checkLanguageModelConfig(config: LanguageModelConfig): Iterable<string> {
  for (const [key, provider] of providersOf(config)) yield* checkProvider(key, provider)
  if (config.deadline < config.timeout) yield 'deadline: must not be shorter than timeout'
  if (config.daily_budget === 0) return
  for (const [key, provider] of providersOf(config)) {
    for (const model of pricedModels(provider)) {
      if (Object.hasOwn(config.prices, model)) continue
      yield `prices: daily_budget needs the price of ${model}, which ${key} uses; write 0 when it costs nothing`
    }
  }
}

function providersOf(config: LanguageModelConfig): [string, ProviderConfig][] {
  return config.fallback === undefined
    ? [['primary', config.primary]]
    : [
        ['primary', config.primary],
        ['fallback', config.fallback],
      ]
}

function* checkProvider(key: string, provider: ProviderConfig): Iterable<string> {
  if (!isRemote(provider)) return
  const { default: standard, embedding, ...tasks } = provider.models
  if (standard === '' && Object.values(tasks).some(model => model === '')) {
    yield `${key}::models::default: must name a model, unless each chat task has its own`
  }
  if (embedding !== '' && provider.type === 'anthropic') {
    yield `${key}::models::embedding: Anthropic has no embeddings; leave it empty`
  }
  if (embedding !== '' && key === 'fallback') {
    yield `${key}::models::embedding: vectors of two models cannot be compared; only primary embeds`
  }
  if (provider.base_url === '') return
  const url = URL.parse(provider.base_url)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    yield `${key}::base_url: must be an HTTP URL, not ${JSON.stringify(provider.base_url)}`
  } else if (url.username !== '' || url.password !== '') {
    yield `${key}::base_url: must not hold credentials; use api_key or headers`
  }
}

/** Whether calls leave the process. */
export function isRemote(provider: ProviderConfig): boolean {
  return provider.type === 'openai' || provider.type === 'anthropic'
}

/** Models that a provider may be asked for. */
function pricedModels(provider: ProviderConfig): Set<string> {
  return isRemote(provider) ? new Set(Object.values(provider.models).filter(model => model !== '')) : new Set()
}
