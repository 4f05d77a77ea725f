import { defineProcessor, t } from 'millrace'
import { MARK } from './marks/mark.ts'

/** Puts a mark in the place of attributes. */
export const redact = defineProcessor({
  type: 'redact',
  description: 'Puts a mark in the place of attributes.',
  stability: { traces: 'beta' },
  config: t.section({ keys: t.list(t.string({ description: 'A name' }), { description: 'Names of attributes' }) }),
  create: ({ keys }) => ({
    transform(draft) {
      for (const { attributes } of draft.records()) {
        for (const key of keys) if (attributes.has(key)) attributes.set(key, MARK)
      }
    },
  }),
})
