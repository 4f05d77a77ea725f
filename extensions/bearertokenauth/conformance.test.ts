import { describeExtension } from '#core/testing'
import { bearerTokenAuthExtension } from './index.ts'

describeExtension(bearerTokenAuthExtension, {
  folder: import.meta.dirname,
  written: () => ({ token: 'open sesame' }),
})
