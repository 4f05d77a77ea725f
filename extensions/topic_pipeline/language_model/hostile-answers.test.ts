import { trace } from '@opentelemetry/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fetcher } from '#core/net'
import { configure, FakeClock, RecordingLogger, RecordingMeter } from '#core/testing'
import { languageModelConfig } from './config.ts'
import { createLanguageModel } from './create-language-model.ts'
import { hashedEmbedding } from './hashed-embedding.ts'
import { type CompletionRequest, ModelError } from './language-model.ts'
import { FakeMemory, FakeUsage } from './rig.test-support.ts'
import { strictSchema } from './strict-schema.ts'

const encoder = new TextEncoder()

/** Language models behind a server that answers `text` to everything. */
function answering(type: 'openai' | 'anthropic', text: string) {
  const fetcher: Fetcher = {
    fetch: async url => ({ url, status: 200, headers: {}, body: encoder.encode(text) }),
    close: async () => {},
  }
  const models = { default: 'm', ...(type === 'openai' && { embedding: 'e' }) }
  return createLanguageModel(configure(languageModelConfig, { primary: { type, models }, max_retries: 0 }), {
    fetcher,
    usage: new FakeUsage(),
    cache: new FakeMemory(),
    clock: new FakeClock(),
    logger: new RecordingLogger(),
    tracer: trace.getTracer('test'),
    meter: new RecordingMeter(),
    random: () => 1,
  })
}

const REQUEST: CompletionRequest = {
  task: 'RELEVANCE',
  system: '',
  prompt: '',
  schema: { name: 's', schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
}

/** What an API promises, with anything in the places of its values. */
const openAi = fc.record(
  {
    choices: fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.jsonValue() })),
              finish_reason: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
      ),
    ),
    data: fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          { index: fc.jsonValue(), embedding: fc.oneof(fc.jsonValue(), fc.array(fc.double())) },
          { requiredKeys: [] },
        ),
      ),
    ),
    usage: fc.jsonValue(),
    model: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const anthropic = fc.record(
  {
    content: fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          { type: fc.constantFrom('text', 'tool_use'), text: fc.jsonValue(), input: fc.jsonValue() },
          { requiredKeys: [] },
        ),
      ),
    ),
    stop_reason: fc.jsonValue(),
    usage: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error)
}

describe('whatever a server answers', () => {
  it.each([
    ['openai', openAi],
    ['anthropic', anthropic],
  ] as const)('over the API of %s, the call brings an answer or a ModelError', async (type, body) => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          body.map(value => JSON.stringify(value)),
          fc.json(),
          fc.string(),
        ),
        async text => {
          const model = answering(type, text)
          for (const call of [
            model.complete(REQUEST),
            model.complete({ ...REQUEST, task: 'GENERATION' }),
            model.embed(['a']),
          ]) {
            const result = await outcome(call)
            if (result instanceof Error) expect(result).toBeInstanceOf(ModelError)
            else expect(result).toBeTypeOf('object')
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('word vectors', () => {
  it('have unit length or are all zeros, for any text and dimension', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 8, max: 2000 }), (text, dimensions) => {
        const vector = hashedEmbedding(text, dimensions)
        const length = Math.hypot(...vector)
        expect(vector).toHaveLength(dimensions)
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true)
        expect(hashedEmbedding(text, dimensions)).toEqual(vector)
      }),
    )
  })
})

describe('an enforced schema', () => {
  it('is closed, has all properties required and no limits; properties may have the names of keywords', () => {
    const schema = {
      type: 'object',
      properties: {
        minimum: { type: 'number', minimum: 0, maximum: 1 },
        list: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } },
        },
      },
    }
    expect(strictSchema(schema)).toEqual({
      type: 'object',
      properties: {
        minimum: { type: 'number' },
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'string' } },
            required: ['a'],
            additionalProperties: false,
          },
        },
      },
      required: ['minimum', 'list'],
      additionalProperties: false,
    })
  })
})
