import { HASHED_MODEL, hashedEmbedding } from './hashed-embedding.ts'
import type { Task } from './language-model.ts'
import { isLocalMaterial } from './material.ts'
import {
  type ChatAnswer,
  type ChatCall,
  type EmbedAnswer,
  type EmbedCall,
  type Provider,
  ProviderFault,
} from './provider.ts'
import { templateDraft } from './templates/draft.ts'

/** What drafts without a model are said to be made by. */
export const TEMPLATE_MODEL = 'template-v1'

/**
 * The same answer to the same question, without a model, a key or a network: template drafts and answers that callers
 * worked out themselves, from `material`; vectors of words.
 */
export class LocalProvider implements Provider {
  readonly name = 'local'
  readonly local = true
  readonly server = undefined
  readonly formats = ['text'] as const
  readonly #dimensions: number

  constructor(dimensions: number) {
    this.#dimensions = dimensions
  }

  modelFor(task: Task): string {
    return task === 'EMBEDDING' ? HASHED_MODEL : TEMPLATE_MODEL
  }

  async chat({ material }: ChatCall): Promise<ChatAnswer> {
    if (!isLocalMaterial(material)) {
      throw new ProviderFault('answer', 'The local provider reads no prompts, and was given nothing else to work from')
    }
    const text = material.kind === 'json' ? JSON.stringify(material.value) : templateDraft(material)
    return { text, finish: 'complete', details: { model: TEMPLATE_MODEL, finishReason: 'stop' } }
  }

  async embed({ texts }: EmbedCall): Promise<EmbedAnswer> {
    return { vectors: texts.map(text => hashedEmbedding(text, this.#dimensions)), details: { model: HASHED_MODEL } }
  }
}
