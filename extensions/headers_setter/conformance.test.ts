import { describeExtension } from '#core/testing'
import { headersSetterExtension } from './index.ts'

describeExtension(headersSetterExtension, {
  folder: import.meta.dirname,
  written: () => ({ headers: [{ action: 'upsert', key: 'x-tenant', from_context: 'x-tenant' }] }),
})
