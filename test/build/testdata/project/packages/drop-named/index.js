import { defineProcessor, PermanentError, t } from 'millrace'

export const dropNamed = defineProcessor({
  type: 'drop_named',
  description: 'Drops spans of one name.',
  stability: { traces: 'beta' },
  config: t.section({ name: t.string({ description: 'The name' }) }),
  create: ({ name }) => ({
    transform(draft) {
      for (const span of draft.spans()) {
        if (span.name === 'refuse') throw new PermanentError('such spans are not taken')
        if (span.name === name) span.drop()
      }
    },
  }),
})

/** A second component, which the distribution does not ask for as a processor. */
export const notAComponent = 'no component'
