import { type JsonSchema, type Route, RouteError } from '#core/component'
import type { Category, NewCategory } from '../model/category.ts'
import { cronFault } from '../scanning/scan-times.ts'
import { BY_ID, COUNT, FLAG, fields, ID, list, object, TEXT } from './schemas.ts'
import type { TopicService } from './service.ts'

/** Minutes between two scans of a category that does not say. */
const DAILY = 1440

/** As requests name the fields; absent and `null` mean: as it is. */
interface CategoryRequest {
  readonly name?: string | null
  readonly description?: string | null
  readonly keywords?: string | null
  readonly negativeKeywords?: string | null
  readonly sources?: string | null
  readonly scanFrequency?: number | null
  readonly scanCron?: string | null
  readonly enabled?: boolean | null
}

/** What is looked for. */
export function categoryRoutes(service: TopicService): Route[] {
  const { store, clock } = service
  const types = () => service.scanners.map(({ type }) => type)
  return [
    {
      method: 'GET',
      path: '/api/categories',
      summary: 'All categories with the number of their topics',
      responses: { 200: { description: 'The categories', schema: list(object({ ...CATEGORY, topic_count: COUNT })) } },
      async handle() {
        const categories = await store.categories.list()
        return { body: categories.map(each => ({ ...wireOf(each), topic_count: each.topicCount })) }
      },
    },
    {
      method: 'GET',
      path: '/api/categories/:id',
      summary: 'One category',
      params: BY_ID,
      responses: {
        200: { description: 'The category', schema: object(CATEGORY) },
        404: { description: 'There is none' },
      },
      async handle({ params }) {
        const category = await store.categories.get(Number(params.id))
        if (category === undefined) throw missing(params.id)
        return { body: wireOf(category) }
      },
    },
    {
      method: 'POST',
      path: '/api/categories',
      summary: 'Adds a category',
      body: REQUEST,
      responses: { 201: { description: 'It was added', schema: object({ id: ID, name: TEXT }) } },
      async handle({ body }) {
        const patch = patchOf(body as CategoryRequest, types())
        const { name } = patch
        if (name === undefined) throw invalid('name must not be empty')
        const id = await store.categories.create({ ...DEFAULTS, ...patch, name }, clock.now())
        service.wake()
        return { status: 201, headers: { location: `/api/categories/${id}` }, body: { id, name } }
      },
    },
    {
      method: 'PUT',
      path: '/api/categories/:id',
      summary: 'Changes the fields that are given',
      params: BY_ID,
      body: REQUEST,
      responses: {
        200: { description: 'It was changed', schema: object({ id: ID, updated: FLAG }) },
        404: { description: 'There is none' },
      },
      async handle({ params, body }) {
        const id = Number(params.id)
        if (!(await store.categories.update(id, patchOf(body as CategoryRequest, types())))) throw missing(id)
        service.wake()
        return { body: { id, updated: true } }
      },
    },
    {
      method: 'DELETE',
      path: '/api/categories/:id',
      summary: 'Removes a category; its topics stay, without one',
      params: BY_ID,
      responses: { 204: { description: 'It is gone' }, 404: { description: 'There is none' } },
      async handle({ params }) {
        if (!(await store.categories.delete(Number(params.id)))) throw missing(params.id)
        return { status: 204 }
      },
    },
  ]
}

const DEFAULTS: Omit<NewCategory, 'name'> = {
  description: '',
  keywords: [],
  negativeKeywords: [],
  sources: [],
  scanFrequency: DAILY,
  scanCron: null,
  enabled: true,
}

function patchOf(request: CategoryRequest, types: readonly string[]): Partial<NewCategory> {
  const { name, description, keywords, negativeKeywords, scanFrequency, enabled } = request
  if (typeof name === 'string' && name.trim() === '') throw invalid('name must not be empty')
  const sources = words(request.sources)
  const unknown = sources?.find(each => !types.includes(each))
  if (unknown !== undefined) {
    throw invalid(`sources names ${JSON.stringify(unknown)}, which is none of ${types.join(', ')}`)
  }
  const scanCron = request.scanCron?.trim()
  const fault = scanCron ? cronFault(scanCron) : undefined
  if (fault !== undefined) throw invalid(`scanCron is no cron expression: ${fault}`)
  const patch = {
    name: name?.trim(),
    description: description ?? undefined,
    keywords: words(keywords),
    negativeKeywords: words(negativeKeywords),
    sources,
    scanFrequency: scanFrequency ?? undefined,
    scanCron: scanCron === '' ? null : scanCron,
    enabled: enabled ?? undefined,
  }
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<NewCategory>
}

/** The words of a comma-separated list, each once. */
function words(written: string | null | undefined): string[] | undefined {
  if (written === null || written === undefined) return undefined
  return [...new Set(written.split(',').map(each => each.trim()))].filter(each => each !== '')
}

function wireOf(category: Category) {
  return {
    id: category.id,
    name: category.name,
    description: category.description,
    keywords: category.keywords.join(','),
    negative_keywords: category.negativeKeywords.join(','),
    sources: category.sources.join(','),
    scan_frequency: category.scanFrequency,
    scan_cron: category.scanCron,
    enabled: category.enabled,
    created_at: new Date(category.createdAt).toISOString(),
  }
}

function invalid(what: string): RouteError {
  return new RouteError(400, 'INVALID_REQUEST', `Invalid body: ${what}`)
}

function missing(id: unknown): RouteError {
  return new RouteError(404, 'NOT_FOUND', `No category ${id}`)
}

const COMMAS = 'Separated by commas.'
const CATEGORY: Readonly<Record<string, JsonSchema>> = {
  id: ID,
  name: TEXT,
  description: TEXT,
  keywords: { ...TEXT, description: COMMAS },
  negative_keywords: { ...TEXT, description: COMMAS },
  sources: { ...TEXT, description: `Types of scanners. ${COMMAS} Empty: all that are enabled.` },
  scan_frequency: { type: 'integer', description: 'Minutes between two scans.' },
  scan_cron: { type: ['string', 'null'], description: 'Cron expression that takes its place.' },
  enabled: FLAG,
  created_at: TEXT,
}
const LIST: JsonSchema = { type: ['string', 'null'], maxLength: 4000, description: `${COMMAS} Empty clears.` }
const REQUEST: JsonSchema = {
  ...fields({
    name: { type: ['string', 'null'], maxLength: 200 },
    description: { type: ['string', 'null'], maxLength: 2000 },
    keywords: LIST,
    negativeKeywords: LIST,
    sources: LIST,
    scanFrequency: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 527_040,
      default: null,
      description: 'Minutes between two scans, 1440 for a new category; sources have lower bounds of their own.',
    },
    scanCron: {
      type: ['string', 'null'],
      maxLength: 100,
      description: 'Cron expression that takes the place of `scanFrequency`. Empty: none.',
    },
    enabled: { type: ['boolean', 'null'], default: null },
  }),
}
