import { describeExporter } from '#core/testing'
import { otlpGrpcExporter } from './index.ts'

describeExporter(otlpGrpcExporter, {
  folder: import.meta.dirname,
  // Nobody listens here: what is handed over waits, and is given up at the end of the drain.
  written: () => ({ endpoint: '127.0.0.1:1', tls: { insecure: true } }),
})
