import protobuf from 'protobufjs'
import { OTLP_PROTO } from '../../core/testing/otlp-proto.ts'
import { requestBytes } from './workload.ts'

/** Long enough that the optimising compiler has settled and a CPU reading of 1 ms does not matter. */
const ROUNDS = 400
const SPANS = 100

/** CPU microseconds a span for decoding and encoding requests of 100 spans with protobufjs, all threads counted. */
export function protobufjsMicros(): number {
  const type = protobuf.parse(OTLP_PROTO).root.lookupType('TracesData')
  const bodies = Array.from({ length: 8 }, (_, i) => requestBytes('traces', SPANS, i + 1))
  const round = (n: number) => {
    for (let i = 0; i < n; i++) type.encode(type.decode(bodies[i % bodies.length]!)).finish()
  }
  round(ROUNDS / 2)
  const before = process.cpuUsage()
  round(ROUNDS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (ROUNDS * SPANS)
}
