import { gunzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import { describe, expect, test } from 'vitest'
import { addCpuSamples, CPU_MEASURES } from './cpu-samples.ts'
import { GO, GO_TIMEOUT, goPprof } from './go-pprof.test-support.ts'
import { addHeapSamples, HEAP_MEASURES } from './heap-samples.ts'
import { type CallFrame, ProfileBuilder } from './profile-builder.ts'

const frame = (functionName: string, lineNumber = 0, url = 'file:///app/main.ts'): CallFrame => ({
  functionName,
  url,
  lineNumber,
  columnNumber: 0,
})

const CPU = {
  nodes: [
    { id: 1, callFrame: frame('(root)', -1, ''), children: [2, 5] },
    { id: 2, callFrame: frame('outer', 10), children: [3, 4] },
    { id: 3, callFrame: frame('inner', 20) },
    { id: 4, callFrame: frame('', 30) },
    { id: 5, callFrame: frame('(idle)', -1, '') },
  ],
  samples: [3, 3, 5, 4, 2],
}
const HEAD = { periodLength: 10_000_000, start: Date.UTC(2026, 0, 1), duration: 60 }

function cpuProfile(): Promise<Buffer> {
  const builder = new ProfileBuilder()
  addCpuSamples(CPU, builder, 10_000_000)
  addCpuSamples(CPU, builder, 10_000_000)
  return builder.finish({ measures: CPU_MEASURES, period: ['cpu', 'nanoseconds'], ...HEAD })
}

const SCHEMA = `syntax = "proto3";
message Profile { repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Location location = 4;
  repeated Function function = 5; repeated string string_table = 6; int64 time_nanos = 9; int64 duration_nanos = 10;
  ValueType period_type = 11; int64 period = 12; }
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; }
message Location { uint64 id = 1; repeated Line line = 4; }
message Line { uint64 function_id = 1; int64 line = 2; int64 column = 3; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }`

test('a CPU profile of V8 becomes one of pprof: stacks, counts and times, idling left out', async () => {
  const Profile = protobuf.parse(SCHEMA).root.lookupType('Profile')
  const read = Profile.toObject(Profile.decode(gunzipSync(await cpuProfile())), { longs: Number }) as {
    stringTable: string[]
    sampleType: { type: number; unit: number }[]
    sample: { locationId: number[]; value: number[] }[]
    function: { id: number; name: number; filename: number; startLine: number }[]
  }
  const names = new Map(read.function.map(each => [each.id, read.stringTable[each.name]]))
  const samples = read.sample.map(({ locationId, value }) => [locationId.map(id => names.get(id)), value])
  expect(samples).toEqual([
    [
      ['inner', 'outer'],
      [4, 40_000_000],
    ],
    [
      ['(anonymous) main.ts:31', 'outer'],
      [2, 20_000_000],
    ],
    [['outer'], [2, 20_000_000]],
  ])
  expect(read.sampleType.map(({ type, unit }) => [read.stringTable[type], read.stringTable[unit]])).toEqual(
    CPU_MEASURES,
  )
  expect(read.function.map(({ filename }) => read.stringTable[filename])).toEqual(Array(3).fill('/app/main.ts'))
  expect(read.function.map(({ startLine }) => startLine)).toEqual([11, 21, 31])
})

// Without go there is nothing to ask: the test above reads the same bytes by protobufjs.
describe.skipIf(GO === undefined)('go tool pprof reads', () => {
  test(
    'a CPU profile',
    async () => {
      const top = await goPprof(await cpuProfile(), '-top')
      expect(top).toContain('Type: cpu')
      expect(top).toContain('Duration: 60ms, Total samples = 80ms')
      expect(top).toMatch(/40ms\s+50\.00%\s+50\.00%\s+40ms\s+50\.00%\s+inner/)
      expect(top).toMatch(/20ms\s+25\.00%\s+\S+\s+80ms\s+100%\s+outer/)
    },
    GO_TIMEOUT,
  )

  test(
    'a heap profile',
    async () => {
      const builder = new ProfileBuilder()
      const leaf = { callFrame: frame('leaf', 3), selfSize: 2 << 20, children: [] }
      const middle = { callFrame: frame('middle', 2), selfSize: 1 << 20, children: [leaf] }
      addHeapSamples({ callFrame: frame('(root)', -1, ''), selfSize: 5, children: [middle] }, builder)
      const heap = await builder.finish({ measures: HEAP_MEASURES, period: ['space', 'bytes'], ...HEAD })
      const top = await goPprof(heap, '-top')
      expect(top).toContain('Type: inuse_space')
      expect(top).toMatch(/2MB\s+66\.67%\s+66\.67%\s+2MB\s+66\.67%\s+leaf/)
      expect(top).toMatch(/1MB\s+33\.33%\s+100%\s+3MB\s+100%\s+middle/)
    },
    GO_TIMEOUT,
  )
})
