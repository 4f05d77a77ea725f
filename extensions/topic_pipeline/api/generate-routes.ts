import { type Route, RouteError } from '#core/component'
import { OUTPUT_FORMATS, type OutputFormat } from '../model/stages.ts'
import type { Draft } from '../model/writing.ts'
import { BY_ID, COUNT, clamp, fields, ID, limit, list, MAYBE_ID, MAYBE_TEXT, object, TEXT, TIME } from './schemas.ts'
import type { TopicService } from './service.ts'
import { localTime } from './times.ts'
import { findTopic } from './topic-routes.ts'

/** Characters of a text that a list shows. */
const PREVIEW = 200

interface GenerateBody {
  readonly topicId?: number | null
  readonly groupId?: string | null
  readonly format?: OutputFormat | null
  readonly outputFormat?: OutputFormat | null
}

/** Drafts: written, written anew with feedback, compared and exported. */
export function generateRoutes(service: TopicService): Route[] {
  const { store } = service
  const find = async (id: unknown): Promise<Draft> => {
    const draft = await store.drafts.get(Number(id))
    if (draft === undefined) throw new RouteError(404, 'NOT_FOUND', `No generated content ${id}`)
    return draft
  }
  return [
    {
      method: 'POST',
      path: '/api/generate',
      summary: 'Writes a draft about a topic or a group of topics, in your voice',
      body: fields({
        topicId: { type: ['integer', 'null'], minimum: 1 },
        groupId: { type: ['string', 'null'], maxLength: 64 },
        format: FORMAT,
        outputFormat: { ...FORMAT, description: 'The same as `format`.' },
      }),
      responses: {
        201: { description: 'The draft', schema: DRAFT },
        404: { description: 'There is no such topic or group' },
        503: { description: 'No language model is configured' },
      },
      async handle({ body }) {
        const { topicId, groupId, format, outputFormat } = body as GenerateBody
        if ((topicId ?? null) === null && (groupId ?? null) === null) throw invalid('topicId or groupId is required')
        if (format && outputFormat && format !== outputFormat) throw invalid('format and outputFormat differ')
        const written = format ?? outputFormat ?? 'blog_post'
        if (typeof topicId === 'number') await findTopic(service, topicId)
        else if ((await store.groups.get(groupId!)) === undefined) {
          throw new RouteError(404, 'NOT_FOUND', `No group ${JSON.stringify(groupId)}`)
        }
        const order = {
          topicId: topicId ?? null,
          groupId: typeof topicId === 'number' ? null : groupId!,
          format: written,
        }
        return created(await service.generate(order), 201)
      },
    },
    {
      method: 'POST',
      path: '/api/generate/:id/regenerate',
      summary: 'Writes a draft anew with what you say of it',
      params: BY_ID,
      body: fields({ feedback: { type: ['string', 'null'], maxLength: 10_000 } }),
      responses: {
        200: { description: 'The new draft', schema: DRAFT },
        404: { description: 'There is no such draft' },
        429: { description: 'It was written anew as often as is allowed' },
        503: { description: 'No language model is configured' },
      },
      async handle({ params, body }) {
        const { feedback } = (body ?? {}) as { readonly feedback?: string | null }
        if (feedback === undefined || feedback === null || feedback.trim() === '')
          throw invalid('feedback must not be empty')
        const { id: parentId, topicId, groupId, format } = await find(params.id)
        return created(await service.generate({ topicId, groupId, format, parentId, feedback: feedback.trim() }), 200)
      },
    },
    {
      method: 'GET',
      path: '/api/generate',
      summary: 'Drafts, newest first',
      query: fields({
        topicId: { type: 'integer' },
        groupId: { type: 'string' },
        format: { enum: OUTPUT_FORMATS },
        limit: limit(100),
        offset: { type: 'integer', minimum: 0, default: 0 },
      }),
      responses: { 200: { description: 'The drafts, without their whole texts', schema: list(BRIEF) } },
      async handle({ query }) {
        const { topicId, groupId, format, offset } = query as {
          topicId?: number
          groupId?: string
          format?: OutputFormat
          offset: number
        }
        const { drafts } = await store.drafts.list({
          ...(topicId !== undefined && { topicId }),
          ...(groupId !== undefined && { groupId }),
          ...(format !== undefined && { format }),
          limit: clamp(query.limit, 1, 100),
          offset,
        })
        return { body: drafts.map(briefOf) }
      },
    },
    {
      method: 'GET',
      path: '/api/generate/:id',
      summary: 'One draft with everything it was made of',
      params: BY_ID,
      responses: { 200: { description: 'The draft', schema: DRAFT }, 404: { description: 'There is none' } },
      handle: async ({ params }) => ({ body: wireOf(await find(params.id)) }),
    },
    {
      method: 'DELETE',
      path: '/api/generate/:id',
      summary: 'Forgets a draft',
      params: BY_ID,
      responses: { 204: { description: 'It is gone' }, 404: { description: 'There is none' } },
      async handle({ params }) {
        const { id } = await find(params.id)
        await store.drafts.delete(id)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: '/api/generate/:id/export',
      summary: 'A draft as a file, with its sources',
      params: BY_ID,
      query: fields({ format: { enum: ['markdown'], default: 'markdown' } }),
      responses: { 200: { description: 'Markdown' }, 404: { description: 'There is no such draft' } },
      async handle({ params }) {
        const draft = await find(params.id)
        const headers = {
          'content-type': 'text/markdown; charset=utf-8',
          'content-disposition': `attachment; filename="generated-content-${draft.id}.md"`,
        }
        return { headers, body: service.exportDraft(draft) }
      },
    },
    {
      method: 'GET',
      path: '/api/generate/:id/diff',
      summary: 'What changed, word by word, from another draft to this one',
      params: BY_ID,
      query: fields({ against: { type: 'integer', minimum: 1, description: 'Default: the draft it was made from.' } }),
      responses: {
        200: {
          description: 'Runs of words in reading order',
          schema: object({ from: ID, to: ID, changes: list(object({ kind: TEXT, text: TEXT })) }),
        },
        400: { description: 'It was made from no other draft, and none is named' },
        404: { description: 'There is no such draft' },
      },
      async handle({ params, query }) {
        const after = await find(params.id)
        const against = query.against ?? after.parentId
        if (against === null)
          throw new RouteError(400, 'INVALID_REQUEST', 'Invalid query: against is required for a first draft')
        const before = await find(against)
        return { body: { from: before.id, to: after.id, changes: service.compare(before, after) } }
      },
    },
  ]
}

function created(draft: Draft, status: number) {
  return { status, headers: { location: `/api/generate/${draft.id}` }, body: wireOf(draft) }
}

function invalid(what: string): RouteError {
  return new RouteError(400, 'INVALID_REQUEST', `Invalid body: ${what}`)
}

function wireOf(draft: Draft) {
  return {
    ...headOf(draft),
    generated_text: draft.text,
    feedback: draft.feedback,
    sources: draft.sources.map(({ topicId, excerptHash, ...rest }) => ({
      ...rest,
      topic_id: topicId,
      excerpt_hash: excerptHash,
    })),
    references: draft.references.map(({ uploadId, ...rest }) => ({ content_id: uploadId, ...rest })),
    usage: draft.usage && {
      input_tokens: draft.usage.inputTokens,
      output_tokens: draft.usage.outputTokens,
      estimated: draft.usage.estimated,
    },
    cost: draft.cost,
    checks: draft.checks,
    style_match: draft.styleMatch,
  }
}

function briefOf(draft: Draft) {
  return { ...headOf(draft), preview: draft.text.slice(0, PREVIEW) }
}

function headOf(draft: Draft) {
  return {
    id: draft.id,
    topic_id: draft.topicId,
    group_id: draft.groupId,
    output_format: draft.format,
    model_used: draft.model,
    parent_id: draft.parentId,
    revision: draft.revision,
    created_at: localTime(draft.createdAt),
    topic_title: draft.topicTitle,
  }
}

const FORMAT = { enum: [...OUTPUT_FORMATS, null], description: 'Default: blog_post.' }
const HEAD = {
  id: ID,
  topic_id: MAYBE_ID,
  group_id: MAYBE_TEXT,
  output_format: { enum: OUTPUT_FORMATS },
  model_used: TEXT,
  parent_id: MAYBE_ID,
  revision: COUNT,
  created_at: TIME,
  topic_title: MAYBE_TEXT,
}
const BRIEF = object({ ...HEAD, preview: TEXT })
const DRAFT = object({
  ...HEAD,
  generated_text: TEXT,
  feedback: MAYBE_TEXT,
  sources: list({ type: 'object' }),
  references: list({ type: 'object' }),
  usage: { type: ['object', 'null'] },
  cost: { type: ['number', 'null'], description: 'US dollars; null when the price of the model is not known.' },
  checks: list({ type: 'object' }),
  style_match: { type: ['object', 'null'] },
})
