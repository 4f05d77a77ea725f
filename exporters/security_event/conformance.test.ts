import { describeExporter } from '#core/testing'
import { securityEventExporter } from './index.ts'

describeExporter(securityEventExporter, {
  folder: import.meta.dirname,
  // Nobody listens here: what is handed over waits, and is given up at the end of the drain.
  written: () => ({ endpoint: 'http://127.0.0.1:1' }),
})
