import { type Route, RouteError } from '#core/component'
import { CONTENT_TYPES, type ContentType } from '../model/stages.ts'
import type { Upload } from '../model/writing.ts'
import { BY_ID, COUNT, clamp, FLAG, fields, ID, limit, list, MAYBE_TEXT, object, TEXT, TIME } from './schemas.ts'
import type { TopicService } from './service.ts'
import { localTime } from './times.ts'

interface UploadBody {
  readonly title?: string | null
  readonly content?: string | null
  readonly contentType: ContentType
}

/** The user's own writing and the style found in it. */
export function contentRoutes(service: TopicService): Route[] {
  const { store } = service
  const find = async (id: unknown): Promise<Upload> => {
    const upload = await store.uploads.get(Number(id))
    if (upload === undefined) throw new RouteError(404, 'NOT_FOUND', `No content ${id}`)
    return upload
  }
  return [
    {
      method: 'POST',
      path: '/api/content',
      summary: 'Keeps a piece of your writing',
      body: fields({
        title: {
          type: ['string', 'null'],
          maxLength: 500,
          description: 'Default: the first heading, else the first line.',
        },
        content: { type: ['string', 'null'], description: 'Plain text or Markdown.' },
        contentType: { enum: CONTENT_TYPES, default: 'blog_post' },
      }),
      responses: {
        201: { description: 'It is kept', schema: object({ id: ID }) },
        413: { description: 'It is too large' },
      },
      async handle({ body }) {
        const { title, content, contentType } = body as UploadBody
        if (content === undefined || content === null || content.trim() === '') {
          throw new RouteError(400, 'INVALID_REQUEST', 'Invalid body: content must not be empty')
        }
        const size = Buffer.byteLength(content)
        const { uploadBytes } = service.limits
        if (size > uploadBytes) {
          throw new RouteError(413, 'CONTENT_TOO_LARGE', `content has ${size} bytes, at most ${uploadBytes} are kept`)
        }
        const id = await service.upload({ title: title?.trim() || undefined, content, contentType, sourceUrl: null })
        return { status: 201, headers: { location: `/api/content/${id}` }, body: { id } }
      },
    },
    {
      method: 'POST',
      path: '/api/content/import',
      summary: 'Fetches a page and keeps its text as a piece of your writing',
      body: fields({ url: { type: ['string', 'null'], maxLength: 4000 } }),
      responses: {
        201: { description: 'It is kept', schema: object({ id: ID }) },
        422: { description: 'The page was fetched, but it has no text' },
      },
      async handle({ body }) {
        const { url } = body as { readonly url?: string | null }
        if (url === undefined || url === null || url.trim() === '') {
          throw new RouteError(400, 'INVALID_REQUEST', 'Invalid body: url must not be empty')
        }
        const id = await service.importPage(url.trim())
        return { status: 201, headers: { location: `/api/content/${id}` }, body: { id } }
      },
    },
    {
      method: 'GET',
      path: '/api/content',
      summary: 'The pieces that are kept, newest first',
      query: fields({ limit: limit(100), offset: { type: 'integer', minimum: 0, default: 0 } }),
      responses: { 200: { description: 'The pieces, without their texts', schema: list(BRIEF) } },
      async handle({ query }) {
        const { uploads } = await store.uploads.list(clamp(query.limit, 1, 100), Number(query.offset))
        return { body: uploads.map(briefOf) }
      },
    },
    {
      method: 'GET',
      path: '/api/content/style-profile',
      summary: 'The style of all analysed pieces together',
      responses: {
        200: {
          description: 'The profile as JSON in a string, empty when nothing was analysed',
          schema: object({ profile: TEXT, hasProfile: FLAG }),
        },
      },
      async handle() {
        const profile = await service.compositeStyle()
        return {
          body: { profile: profile === undefined ? '' : JSON.stringify(profile), hasProfile: profile !== undefined },
        }
      },
    },
    {
      method: 'GET',
      path: '/api/content/:id',
      summary: 'One piece with its text',
      params: BY_ID,
      responses: { 200: { description: 'The piece', schema: FULL }, 404: { description: 'There is none' } },
      async handle({ params }) {
        const upload = await find(params.id)
        const metadata = upload.profile === null ? null : JSON.stringify(upload.profile)
        return {
          body: {
            ...briefOf(upload),
            content: upload.content,
            writing_style_metadata: metadata,
            source_url: upload.sourceUrl,
            embedding_model: upload.embeddingModel,
            analyzed_at: localTime(upload.analyzedAt),
          },
        }
      },
    },
    {
      method: 'DELETE',
      path: '/api/content/:id',
      summary: 'Forgets a piece',
      params: BY_ID,
      responses: { 204: { description: 'It is gone' }, 404: { description: 'There is none' } },
      async handle({ params }) {
        const { id } = await find(params.id)
        await store.uploads.delete(id)
        return { status: 204 }
      },
    },
    {
      method: 'POST',
      path: '/api/content/:id/analyze',
      summary: 'Describes the style of a piece',
      params: BY_ID,
      responses: {
        200: { description: 'The style', schema: PROFILE },
        404: { description: 'There is no such piece' },
        503: { description: 'No language model is configured' },
      },
      handle: async ({ params }) => ({ body: await service.analyzeStyle(await find(params.id)) }),
    },
  ]
}

function briefOf(upload: Upload) {
  return {
    id: upload.id,
    title: upload.title,
    content_type: upload.contentType,
    style_analyzed: upload.profile !== null,
    content_length: upload.content.length,
    word_count: upload.wordCount,
    created_at: localTime(upload.createdAt),
  }
}

const BRIEF_FIELDS = {
  id: ID,
  title: TEXT,
  content_type: { enum: CONTENT_TYPES },
  style_analyzed: FLAG,
  content_length: COUNT,
  word_count: COUNT,
  created_at: TIME,
}
const BRIEF = object(BRIEF_FIELDS)
const FULL = object({
  ...BRIEF_FIELDS,
  content: TEXT,
  writing_style_metadata: MAYBE_TEXT,
  source_url: MAYBE_TEXT,
  embedding_model: MAYBE_TEXT,
  analyzed_at: TIME,
})
const PROFILE = object({
  tone: TEXT,
  avg_sentence_length: TEXT,
  vocabulary_complexity: TEXT,
  structural_patterns: list(TEXT),
  use_of_examples: FLAG,
  use_of_analogies: FLAG,
  first_person: FLAG,
  typical_intro_style: TEXT,
  typical_conclusion_style: TEXT,
})
