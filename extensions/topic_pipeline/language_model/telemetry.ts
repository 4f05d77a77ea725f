import { counter, histogram } from '#core/component'

const CALL = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model']

/**
 * Calls to language models. The first two as the semantic conventions for generative AI name them.
 * Source: open-telemetry/semantic-conventions-genai, gen-ai-metrics.md
 */
export const languageModelInstruments = {
  duration: histogram({
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'How long calls to language models took, repetitions included.',
    labels: [...CALL, 'error.type'],
    boundaries: Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
  }),
  tokens: histogram({
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens that calls to language models read and wrote, as the provider counted them.',
    labels: [...CALL, 'gen_ai.token.type'],
    boundaries: Array.from({ length: 14 }, (_, power) => 4 ** power),
  }),
  cost: counter({
    name: 'topics.llm.cost.usd',
    unit: '{USD}',
    description: 'What calls to language models cost, by the prices in the configuration.',
    labels: [...CALL, 'topics.task_type'],
  }),
  retries: counter({
    name: 'topics.llm.retries',
    unit: '{request}',
    description: 'Requests to language models that were made again.',
    labels: ['gen_ai.provider.name'],
  }),
  refused: counter({
    name: 'topics.llm.refused',
    unit: '{call}',
    description: 'Calls that were not made, by reason: `budget` or `unconfigured`.',
    labels: ['topics.task_type', 'reason'],
  }),
  cached: counter({
    name: 'topics.llm.cached',
    unit: '{call}',
    description: 'Calls that were answered from what an earlier one brought.',
    labels: ['topics.task_type'],
  }),
} as const
