import { SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { type Clock, type Logger, parentOf, traceparentOf } from '#core/component'
import type { CallOptions, Completion, LanguageModel } from '../language_model/language-model.ts'
import type { GenerationOrder } from '../model/job.ts'
import type { Topic } from '../model/topic.ts'
import type { Draft, DraftCheck, NewDraft, TokenUsage, Upload } from '../model/writing.ts'
import { Unobtainable } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'
import { matchStyle } from '../style/style-match.ts'
import type { StyleStudio } from '../style/style-studio.ts'
import { checkFormat, trimPost } from './check-format.ts'
import { checkGrounding } from './check-grounding.ts'
import { FORMATS } from './formats.ts'
import { buildPrompt, type PromptParts } from './prompt.ts'
import { type NumberedSource, numberSources } from './sources.ts'

/** Other topics of the group that are read beside the one that is written about. */
const RELATED = 5
/** Pieces of the user that are shown to the model. */
const REFERENCES = 3
/** Uploads that a draft's style is compared with. */
const COMPARED = 20
/** Characters of the prompt that are kept. */
const PROMPT_KEPT = 5000
/** Characters of a topic's text that it is compared by. */
const EMBEDDED = 1000

export interface WriterDeps {
  readonly store: TopicStore
  readonly model: LanguageModel
  readonly studio: StyleStudio
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  /** Analysed topics that belong with one that has no group. */
  related(topic: Topic, limit: number): Promise<Topic[]>
}

/** Writes drafts: topics, style and references in, a checked text with everything it was made of out. */
export class Writer {
  readonly #deps: WriterDeps

  constructor(deps: WriterDeps) {
    this.#deps = deps
  }

  /**
   * `traceparent`: of what asks for the draft; calls to models are children of the draft's span, which is its child.
   * @throws {Unobtainable} when topic, group or the draft to be revised is gone
   * @throws {ModelError}
   */
  async write(order: GenerationOrder, signal: AbortSignal, traceparent?: string): Promise<NewDraft> {
    const { tracer, model } = this.#deps
    const attributes = { 'gen_ai.operation.name': 'invoke_workflow', 'topics.format': order.format }
    const span = tracer.startSpan('invoke_workflow draft', { attributes }, parentOf(traceparent))
    try {
      const draft = await this.#write(order, { signal, traceparent: traceparentOf(span) })
      for (const { name, ok } of draft.checks) {
        const label = ok ? 'pass' : 'fail'
        span.addEvent('gen_ai.evaluation.result', {
          'gen_ai.evaluation.name': name,
          'gen_ai.evaluation.score.label': label,
        })
      }
      if (draft.styleMatch?.score !== undefined) {
        const score = {
          'gen_ai.evaluation.name': 'style_match',
          'gen_ai.evaluation.score.value': draft.styleMatch.score,
        }
        span.addEvent('gen_ai.evaluation.result', score)
      }
      return draft
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: `${model.kind}: ${(error as Error).name}` })
      throw error
    } finally {
      span.end()
    }
  }

  async #write(order: GenerationOrder, call: Call): Promise<NewDraft> {
    const { format } = order
    const topics = await this.#topicsOf(order)
    const sources = numberSources(topics)
    const [profile, references, previous] = await Promise.all([
      this.#deps.studio.composite(call),
      this.#references(topics[0]!, call),
      this.#previous(order),
    ])
    const parts: PromptParts = {
      format,
      profile,
      examples: references.map(({ upload }) => upload),
      sources,
      ...(previous !== undefined && { revision: { draft: previous, feedback: order.feedback ?? '' } }),
    }
    const texts = (await this.#deps.store.uploads.list(COMPARED, 0)).uploads.map(({ content }) => content)
    const written = await this.#compose(parts, topics[0]!, call)
    const styleMatch = texts.length === 0 ? null : await matchStyle(written.text, texts)
    return {
      topicId: order.topicId,
      groupId: order.groupId,
      format,
      text: written.text,
      model: written.model,
      parentId: order.parentId ?? null,
      sources: sources.map(({ source }) => source),
      references: references.map(({ upload, similarity }) => ({
        uploadId: upload.id,
        title: upload.title,
        similarity,
      })),
      usage: written.usage,
      cost: written.cost,
      checks: written.checks,
      styleMatch,
      promptUsed: written.prompt.slice(0, PROMPT_KEPT),
    }
  }

  /** The topic, or the best of its group, first; then at most {@link RELATED} others. */
  async #topicsOf({ topicId, groupId }: GenerationOrder): Promise<Topic[]> {
    const { store } = this.#deps
    if (topicId === null) {
      const topics = await store.topics.ofGroup(groupId!, RELATED + 1)
      if (topics.length === 0) throw new Unobtainable(`Group ${groupId} has no topics`)
      return topics
    }
    const topic = await store.topics.get(topicId)
    if (topic === undefined) throw new Unobtainable(`Topic ${topicId} is gone`)
    const related = await this.#deps.related(topic, RELATED)
    return [topic, ...related.filter(({ id }) => id !== topic.id)]
  }

  async #previous({ parentId }: GenerationOrder): Promise<Draft | undefined> {
    if (parentId === undefined) return undefined
    const draft = await this.#deps.store.drafts.get(parentId)
    if (draft === undefined) throw new Unobtainable(`Draft ${parentId} is gone`)
    return draft
  }

  /** The user's pieces that are nearest to the topic; none when vectors cannot be had. */
  async #references(topic: Topic, call: Call): Promise<{ readonly upload: Upload; readonly similarity: number }[]> {
    const { store, model, logger } = this.#deps
    if (!store.vectors.available || model.embedding === undefined) return []
    try {
      const text = `${topic.title}\n${(topic.extractedContent ?? topic.content ?? '').slice(0, EMBEDDED)}`
      const [vector] = await model.embed([text], { ...call, topicId: topic.id })
      const near = await store.vectors.nearest('upload', model.embedding.model, vector!, REFERENCES)
      const uploads = await Promise.all(near.map(({ id }) => store.uploads.get(id)))
      return near.flatMap(({ similarity }, i) => (uploads[i] === undefined ? [] : [{ upload: uploads[i], similarity }]))
    } catch (error) {
      if (call.signal.aborted) throw error
      logger.warn('Cannot find references, the draft is written without', { topic: topic.id, error })
      return []
    }
  }

  /** Writes, checks, has what is missing put right once, and keeps the better text. */
  async #compose(parts: PromptParts, topic: Topic, call: Call): Promise<Written> {
    const { model } = this.#deps
    const first = await this.#ask(parts, topic, call)
    const failed = first.checks.filter(({ ok, name }) => !ok && !ADVISORY.has(name))
    if (failed.length === 0 || model.kind !== 'model') return first
    const findings = failed.map(({ name, detail }) => `- ${name}: ${detail}`).join('\n')
    const second = await this.#ask({ ...parts, revision: { draft: first, findings } }, topic, call).catch(error => {
      if (call.signal.aborted) throw error
      return undefined
    })
    if (second === undefined) return first
    const better = failures(second) < failures(first) ? second : first
    return { ...better, usage: sum(first.usage, second.usage), cost: add(first.cost, second.cost) }
  }

  async #ask(parts: PromptParts, topic: Topic, call: Call): Promise<Written> {
    const { system, prompt } = buildPrompt(parts)
    const { format, sources, revision } = parts
    const completion = await this.#deps.model.complete({
      task: 'GENERATION',
      system,
      prompt,
      maxTokens: FORMATS[format].maxTokens,
      topicId: topic.id,
      ...call,
      material: {
        kind: 'draft',
        format,
        title: topic.title,
        sources: sources.map(({ source, text }) => ({ marker: source.marker, title: source.title, text })),
        tags: [...new Set(sources.flatMap(({ tags }) => tags))],
        ...(revision?.feedback !== undefined && { feedback: revision.feedback }),
      },
    })
    return finished(completion, format, sources, `${system}\n\n${prompt}`)
  }
}

/** What all calls to models for a draft have in common. */
type Call = Required<Pick<CallOptions, 'signal' | 'traceparent'>>

interface Written extends Pick<Completion, 'text' | 'model' | 'usage' | 'cost'> {
  readonly checks: readonly DraftCheck[]
  readonly prompt: string
}

/** Characters of a draft: more than any format asks for. */
const LONGEST = 60_000

/** Checks that no second attempt is paid for: not every subject has code. */
const ADVISORY = new Set(['code_examples', 'numbers', 'quotations'])

function finished(
  completion: Completion,
  format: GenerationOrder['format'],
  sources: readonly NumberedSource[],
  prompt: string,
): Written {
  const bare = unfenced(completion.text.slice(0, LONGEST).trim())
  const text = format === 'linkedin_post' ? trimPost(bare) : bare
  const checks = [...checkFormat(format, text), ...checkGrounding(text, sources)]
  return { text, model: completion.model, usage: completion.usage, cost: completion.cost, checks, prompt }
}

/** Without the fence that models like to put around a whole answer. */
function unfenced(text: string): string {
  return /^```(?:markdown|md)?\n([\s\S]*)\n```$/.exec(text)?.[1]?.trim() ?? text
}

function failures({ checks }: Written): number {
  return checks.filter(({ ok }) => !ok).length
}

function sum(a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null {
  if (a === null || b === null) return a ?? b
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    estimated: a.estimated || b.estimated,
  }
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
