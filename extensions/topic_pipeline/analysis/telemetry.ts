import { counter } from '#core/component'

/** What became of analysed topics. */
export const analysisInstruments = {
  analyzed: counter({
    name: 'topics.analysis.analyzed',
    unit: '{topic}',
    description: 'Topics that passed all filters, by how they were judged: `heuristic` or `llm`.',
    labels: ['method'],
  }),
  rejected: counter({
    name: 'topics.analysis.rejected',
    unit: '{topic}',
    description: 'Topics that a filter kept out, by filter.',
    labels: ['filter'],
  }),
  degraded: counter({
    name: 'topics.analysis.degraded',
    unit: '{call}',
    description: 'Calls to language models that analyses did without, by reason.',
    labels: ['reason'],
  }),
} as const
