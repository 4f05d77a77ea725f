import type { LanguageModelConfig } from './config.ts'
import type { ClosableLanguageModel, LanguageModelDeps } from './language-model-deps.ts'
import { ModelAccess } from './model-access.ts'

/** Language models as the configuration names them. Opens nothing. */
export function createLanguageModel(config: LanguageModelConfig, deps: LanguageModelDeps): ClosableLanguageModel {
  return new ModelAccess(config, deps)
}
