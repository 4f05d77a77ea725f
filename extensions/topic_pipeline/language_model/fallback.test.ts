import { describe, expect, it } from 'vitest'
import { ConfigError } from '#core/config'
import { configure } from '#core/testing'
import { checkLanguageModelConfig, languageModelConfig } from './config.ts'
import { startFakeOpenAi } from './fake-openai.test-support.ts'
import type { CompletionRequest } from './language-model.ts'
import { languageModelRig } from './rig.test-support.ts'

const WRITE: CompletionRequest = { task: 'GENERATION', system: '', prompt: 'Write' }
const at = (url: string, model: string) => ({ type: 'openai', base_url: url, models: { default: model } })

describe('a fallback', () => {
  it('is asked when the first one does not answer', async () => {
    await using broken = await startFakeOpenAi(() => ({ status: 500 }))
    await using sound = await startFakeOpenAi()
    await using rig = languageModelRig({ primary: at(broken.url, 'first'), fallback: at(sound.url, 'second') })
    expect((await rig.model.complete(WRITE)).model).toBe('second')
    expect(rig.logger.messages('warn')).toEqual(['A language model did not answer, another one is asked'])
  })

  it('does not hide that asking again may help', async () => {
    await using busy = await startFakeOpenAi(() => ({ status: 429, headers: { 'retry-after': '60' } }))
    await using closed = await startFakeOpenAi(() => ({ status: 401 }))
    await using rig = languageModelRig({ primary: at(busy.url, 'first'), fallback: at(closed.url, 'second') })
    await expect(rig.model.complete(WRITE)).rejects.toThrow(
      expect.objectContaining({ reason: 'busy', retryAfter: 60_000 }),
    )
  })

  it('may be the local templates', async () => {
    await using broken = await startFakeOpenAi(() => ({ status: 500 }))
    await using rig = languageModelRig({ primary: at(broken.url, 'first'), fallback: { type: 'local' } })
    const material = { kind: 'draft', format: 'newsletter', title: 'T', sources: [], tags: [] }
    expect((await rig.model.complete({ ...WRITE, material })).provider).toBe('local')
  })

  it('shares the deadline', async () => {
    await using slow = await startFakeOpenAi(() => ({ status: 503, headers: { 'retry-after': '15' } }))
    await using rig = languageModelRig({
      primary: at(slow.url, 'first'),
      fallback: at(slow.url, 'second'),
      timeout: '5s',
      deadline: '20s',
    })
    await expect(rig.model.complete(WRITE)).rejects.toThrow(expect.objectContaining({ reason: 'busy' }))
    expect(rig.clock.sleeps).toEqual([15_000])
    expect(slow.requests).toHaveLength(3)
  })
})

describe('the configuration', () => {
  const faults = (written: unknown) => [...checkLanguageModelConfig(configure(languageModelConfig, written))]

  it('is valid with nothing written', () => {
    expect(faults({})).toEqual([])
  })

  it('names what is missing or does not fit together', () => {
    expect(faults({ primary: { type: 'openai' } })).toEqual([
      'primary::models::default: must name a model, unless each chat task has its own',
    ])
    const models = { default: 'm', embedding: 'e' }
    expect(faults({ primary: { type: 'anthropic', models } })).toEqual([
      'primary::models::embedding: Anthropic has no embeddings; leave it empty',
    ])
    expect(faults({ fallback: { type: 'openai', models } })).toEqual([
      'fallback::models::embedding: vectors of two models cannot be compared; only primary embeds',
    ])
    expect(faults({ primary: { type: 'openai', models, base_url: 'http://u:p@host/v1' } })).toEqual([
      'primary::base_url: must not hold credentials; use api_key or headers',
    ])
    expect(faults({ primary: { type: 'openai', models, base_url: 'ftp://host' } })).toEqual([
      'primary::base_url: must be an HTTP URL, not "ftp://host"',
    ])
    expect(faults({ deadline: '1s' })).toEqual(['deadline: must not be shorter than timeout'])
  })

  it('wants prices for a budget', () => {
    const primary = { type: 'openai', models: { default: 'm', embedding: 'e' } }
    expect(faults({ primary, daily_budget: 1, prices: { m: { input: 1 } } })).toEqual([
      'prices: daily_budget needs the price of e, which primary uses; write 0 when it costs nothing',
    ])
    expect(faults({ daily_budget: 1 })).toEqual([])
  })

  it('refuses what is out of range', () => {
    expect(() => configure(languageModelConfig, { daily_budget: -1 })).toThrow(ConfigError)
  })
})
