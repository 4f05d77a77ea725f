import { describeReceiver } from '#core/testing'
import { otlpReceiver } from './index.ts'

describeReceiver(otlpReceiver, {
  folder: import.meta.dirname,
  written: () => ({ protocols: { grpc: { endpoint: '127.0.0.1:0' }, http: { endpoint: '127.0.0.1:0' } } }),
})
