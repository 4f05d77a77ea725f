import type { ProviderConfig } from './config.ts'
import type { Task } from './language-model.ts'

const OPTION = {
  RELEVANCE: 'relevance',
  CLASSIFICATION: 'classification',
  SUMMARIZATION: 'summarization',
  EMBEDDING: 'embedding',
  GENERATION: 'generation',
} as const satisfies Record<Task, keyof ProviderConfig['models']>

/** The model that a provider's configuration gives a task; `undefined`: it does not take it. */
export function modelOf(models: ProviderConfig['models'], task: Task): string | undefined {
  const own = models[OPTION[task]]
  const model = own === '' && task !== 'EMBEDDING' ? models.default : own
  return model === '' ? undefined : model
}
