import { describe, expect, it } from 'vitest'
import { startFakeOpenAi } from './fake-openai.test-support.ts'
import { languageModelRig, openAiAt } from './rig.test-support.ts'

const length = (vector: Float32Array) => Math.hypot(...vector)

describe('embeddings over the OpenAI API', () => {
  it('come in the order of the texts, in batches, at unit length', async () => {
    await using server = await startFakeOpenAi()
    await using rig = languageModelRig(openAiAt(server.url, { embedding: { batch_size: 2 } }))
    const texts = ['one sampler', 'two collectors', 'three spans', 'four traces', 'five metrics']
    const vectors = await rig.model.embed(texts)
    expect(server.requests.map(({ body }) => body.input)).toEqual([texts.slice(0, 2), texts.slice(2, 4), [texts[4]]])
    const [alone] = await rig.model.embed([texts[3]!])
    expect(vectors[3]).toEqual(alone)
    for (const vector of vectors) expect(length(vector)).toBeCloseTo(1, 5)
    expect(rig.model.embedding).toEqual({
      model: 'openai/vectory',
      dimensions: 1536,
      kind: 'semantic',
      thresholds: { duplicate: 0.95, group: 0.8, related: 0.7 },
    })
    expect(rig.spans()[0]!.name).toBe('embeddings vectory')
  })

  it('look at the beginning of a text, whole characters only, and never send blanks', async () => {
    await using server = await startFakeOpenAi()
    await using rig = languageModelRig(openAiAt(server.url, { embedding: { max_characters: 3 } }))
    await rig.model.embed(['ab😀cd', '   x'])
    expect(server.requests[0]!.body.input).toEqual(['ab', '-'])
  })

  it('are filled up with zeros when shorter than declared, and refused when longer', async () => {
    await using server = await startFakeOpenAi()
    await using rig = languageModelRig(openAiAt(server.url, { embedding: { dimensions: 2000 } }))
    const [vector] = await rig.model.embed(['some words'])
    expect(vector).toHaveLength(2000)
    expect(vector!.subarray(1536).every(value => value === 0)).toBe(true)
    await using small = languageModelRig(openAiAt(server.url, { embedding: { dimensions: 100 } }))
    await expect(small.model.embed(['some words'])).rejects.toThrow(
      /vectory gives vectors of 1536 dimensions, but embedding::dimensions is 100/,
    )
    const wished = { dimensions: 100, request_dimensions: true }
    await using asked = languageModelRig(openAiAt(server.url, { embedding: wished }))
    expect((await asked.model.embed(['some words']))[0]).toHaveLength(100)
  })

  it('are refused when some are missing', async () => {
    await using server = await startFakeOpenAi(({ body }) => (body.input === undefined ? 'sane' : 'half'))
    await using rig = languageModelRig(openAiAt(server.url))
    await expect(rig.model.embed(['a'])).rejects.toThrow(expect.objectContaining({ reason: 'busy' }))
  })

  it('have thresholds that the operator may set', async () => {
    await using rig = languageModelRig({ embedding: { thresholds: { group: 0.5 } } })
    expect(rig.model.embedding!.thresholds).toMatchObject({ group: 0.5, duplicate: expect.any(Number) })
  })
})
