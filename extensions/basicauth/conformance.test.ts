import { describeExtension } from '#core/testing'
import { basicAuthExtension } from './index.ts'

describeExtension(basicAuthExtension, {
  folder: import.meta.dirname,
  written: () => ({ htpasswd: { inline: 'agent:open sesame' } }),
})
