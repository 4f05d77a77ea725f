import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OUTPUT_FORMATS } from '../model/stages.ts'
import { languageModelRig } from './rig.test-support.ts'
import { TEMPLATE_LABEL, templateDraft } from './templates/draft.ts'

const TEXT = `# Tail sampling

Tail sampling decides about a trace after all of its spans have arrived at the collector.
A gateway has to hold every span in memory until the decision is made. Ten seconds are a usual wait for that.

\`\`\`yaml
tail_sampling:
  decision_wait: 10s
\`\`\`

Load balancing by trace id sends all spans of one trace to the same collector.`

const SOURCES = [
  { marker: 'S1', title: 'Tail sampling', text: TEXT },
  { marker: 'S2', title: 'Short', text: 'Nothing.' },
]

describe('the local provider', () => {
  it('is who is asked by default, for everything', async () => {
    await using rig = languageModelRig()
    expect(rig.model.kind).toBe('local')
    expect(await rig.model.available('GENERATION')).toBe(true)
    expect(await rig.model.available('EMBEDDING')).toBe(true)
    expect(rig.model.embedding).toMatchObject({ model: 'hashing-v1', dimensions: 1536, kind: 'lexical' })
  })

  it.each(OUTPUT_FORMATS)('writes the same labelled %s from the same material', async format => {
    await using rig = languageModelRig()
    const material = { kind: 'draft', format, title: 'Tail sampling', sources: SOURCES, tags: ['open telemetry'] }
    const request = { task: 'GENERATION', system: '', prompt: '', material } as const
    const draft = await rig.model.complete(request)
    expect(draft).toMatchObject({ provider: 'local', model: 'template-v1', usage: null, cost: 0 })
    expect(draft.text).toContain(TEMPLATE_LABEL)
    expect(draft.text).toContain('[S1]')
    expect((await rig.model.complete(request)).text).toBe(draft.text)
    expect(rig.usage.records).toEqual([])
  })

  it('keeps the promises of the formats, also of sources that say nothing', async () => {
    await using rig = languageModelRig()
    const write = async (format: string, sources: unknown) => {
      const material = { kind: 'draft', format, title: 'A title', sources, tags: [] }
      return (await rig.model.complete({ task: 'GENERATION', system: '', prompt: '', material })).text
    }
    const long = [{ marker: 'S1', title: 'Long', text: TEXT.repeat(200) }]
    for (const sources of [SOURCES, long, [{ marker: 'S1', title: 'Empty', text: '' }]]) {
      const blog = await write('blog_post', sources)
      expect(blog).toMatch(/^# .*[\s\S]*^## .*[\s\S]*^```[\s\S]*^## Conclusion/m)
      const script = await write('youtube_script', sources)
      const words = script.split(/\s+/).length
      expect(words).toBeGreaterThan(1100)
      expect(words).toBeLessThan(1800)
      expect(script).toMatch(/## Hook[\s\S]*\[VISUAL\][\s\S]*## Call to action/)
      const post = await write('linkedin_post', sources)
      expect([...post].length).toBeLessThan(3000)
      expect(post).toMatch(/\?\n\n#\w+/)
      expect(await write('newsletter', sources)).toMatch(/^## [\s\S]*^- [\s\S]*^## Key takeaways\n\n- /m)
    }
  })

  it('keeps them whatever the sources say', () => {
    const piece = fc.constantFrom(
      '[S9] ',
      '[[S9]S9]',
      '[S1, S9] ',
      '[S[S8]9] ',
      '```\n',
      '\n\n',
      '# ',
      '“',
      '. ',
      'Nine words in a row make one sentence here. ',
      '漢字',
    )
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(piece, { maxLength: 200 }).map(all => all.join('')),
    )
    const source = fc.record({ marker: fc.constant('S1'), title: words, text: words })
    const material = fc.record({
      title: words,
      sources: fc.array(source, { maxLength: 6 }),
      tags: fc.array(words),
      feedback: words,
    })
    fc.assert(
      fc.property(material, fc.constantFrom(...OUTPUT_FORMATS), (all, format) => {
        const draft = templateDraft({ kind: 'draft', format, ...all })
        expect(draft.replace(/\n\nAsked for: .*/, '')).not.toMatch(/\[(?:S\d+\s*,\s*)*S[89]\s*[\],]/)
        if (format === 'linkedin_post') expect([...draft].length).toBeLessThan(3000)
        if (format === 'youtube_script') expect(draft.split(/\s+/).length).toBeGreaterThan(1100)
        if (format === 'youtube_script') expect(draft.split(/\s+/).length).toBeLessThan(1800)
      }),
    )
  })

  it('says nothing twice in a script that has enough to quote', () => {
    const text = Array.from(
      { length: 40 },
      (_, i) => `Sentence ${i} of this article says something new about it.`,
    ).join(' ')
    const sources = [{ marker: 'S1', title: 'T', text }]
    const draft = templateDraft({ kind: 'draft', format: 'youtube_script', title: 'T', sources, tags: [] })
    const paragraphs = draft.split('\n\n')
    expect(paragraphs).toHaveLength(new Set(paragraphs).size)
  })

  it('takes no links, images and markup from a title', () => {
    const title = 'On ![x](https://evil.example/p.png) Vec<T> <img src=y> [now](https://evil.example)'
    const draft = templateDraft({ kind: 'draft', format: 'newsletter', title, sources: SOURCES, tags: [] })
    expect(draft).toContain('# On x Vec&lt;T> &lt;img src=y> now')
  })

  it('repeats what the user asked for', async () => {
    await using rig = languageModelRig()
    const material = {
      kind: 'draft',
      format: 'newsletter',
      title: 'T',
      sources: SOURCES,
      tags: [],
      feedback: 'Shorter!',
    }
    const draft = await rig.model.complete({ task: 'GENERATION', system: '', prompt: '', material })
    expect(draft.text).toContain('Asked for: Shorter!')
  })

  it('passes on answers that the caller worked out, if they follow the schema', async () => {
    await using rig = languageModelRig()
    const schema = { name: 'n', schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }
    const request = { task: 'SUMMARIZATION', system: '', prompt: '', schema } as const
    const good = await rig.model.complete({ ...request, material: { kind: 'json', value: { n: 1 } } })
    expect(good.json).toEqual({ n: 1 })
    await expect(rig.model.complete({ ...request, material: { kind: 'json', value: {} } })).rejects.toThrow(
      expect.objectContaining({ name: 'ModelError', reason: 'invalid' }),
    )
    await expect(rig.model.complete(request)).rejects.toThrow(expect.objectContaining({ reason: 'invalid' }))
  })

  it('makes unit vectors in which the same words are near', async () => {
    await using rig = languageModelRig()
    const [one, again, near, far, none] = await rig.model.embed([
      'Tail sampling in the OpenTelemetry Collector',
      'tail SAMPLING in the opentelemetry collector!',
      'How the OpenTelemetry Collector samples traces',
      'A recipe for sourdough bread',
      ' ',
    ])
    expect(dot(one!, one!)).toBeCloseTo(1, 5)
    expect(dot(one!, again!)).toBeCloseTo(1, 5)
    expect(dot(one!, near!)).toBeGreaterThan(0.2)
    expect(Math.abs(dot(one!, far!))).toBeLessThan(0.1)
    expect(none).toHaveLength(1536)
  })
})

describe('without a provider', () => {
  it('every call says so', async () => {
    await using rig = languageModelRig({ primary: { type: 'none' } })
    expect(rig.model.kind).toBe('none')
    expect(rig.model.embedding).toBeUndefined()
    expect(await rig.model.unavailable('GENERATION')).toBe(
      'No language model is configured for GENERATION: set language_model::primary',
    )
    const refused = expect.objectContaining({ reason: 'unconfigured' })
    await expect(rig.model.complete({ task: 'GENERATION', system: '', prompt: '' })).rejects.toThrow(refused)
    await expect(rig.model.embed(['a'])).rejects.toThrow(refused)
  })
})

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
