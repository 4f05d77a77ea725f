import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { openDraft, type Payload, type Signal, toJson } from '#core/data'
import { recorded, rig } from './rig.test-support.ts'

const RECORDED: readonly [Signal & ('traces' | 'metrics' | 'logs'), string][] = [
  ['metrics', '0001_v1_metrics'],
  ['logs', '0002_v1_logs'],
  ['logs', '0022_v1_logs'],
  ['traces', '0023_v1_traces'],
  ['logs', '0054_v1_logs'],
  ['traces', '0057_v1_traces'],
  ['metrics', '0066_v1_metrics'],
]

/** Everything that was recorded, in order, through one processor in three pipelines. */
async function replay(written: object = {}): Promise<Map<string, Payload>> {
  const state = new Map<string, object>()
  const rigs = {
    traces: rig('traces', written, { state }),
    metrics: rig('metrics', written, { state }),
    logs: rig('logs', written, { state }),
  }
  const left = new Map<string, Payload>()
  for (const [signal, file] of RECORDED) {
    const { processor, sink, context } = rigs[signal]
    const done = processor.consume(recorded(signal, `${file}.pb`) as never, NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await done
    left.set(file, sink.payloads.at(-1)!)
  }
  return left
}

function pretty(payload: Payload): string {
  return `${JSON.stringify(JSON.parse(toJson(payload)), null, 2)}\n`
}

/** Each span as `name (parent's name)`, and what is wrong with the trees. */
function trees(payload: Payload): { tree: string[]; faults: string[] } {
  const spans = [...openDraft(payload as Payload<'traces'>).spans()].map(span => ({
    trace: span.traceIdHex(),
    id: span.spanIdHex(),
    parent: Buffer.from(span.parentSpanId).toString('hex'),
    name: span.name.replace('openclaw.', ''),
  }))
  const faults: string[] = []
  const roots = new Map<string, number>()
  const tree = spans.map(({ trace, parent, name }) => {
    const found = spans.find(other => other.trace === trace && other.id === parent)
    if (parent === '') roots.set(trace, (roots.get(trace) ?? 0) + 1)
    else if (found === undefined) faults.push(`${name} misses its parent`)
    return found === undefined ? name : `${name} (${found.name})`
  })
  for (const { trace } of spans) if (roots.get(trace) !== 1) faults.push(`${roots.get(trace) ?? 0} roots in ${trace}`)
  return { tree, faults }
}

test('the recorded HTTP turn, 5 of whose 7 spans miss their parent, becomes one tree', async () => {
  const left = await replay()
  expect(trees(left.get('0023_v1_traces')!)).toEqual({
    tree: [
      'context.assembled (run)',
      'model.call (run)',
      'exec (tool.execution)',
      'tool.execution (run)',
      'model.call (run)',
      'run (harness.run)',
      'harness.run',
    ],
    faults: [],
  })
})

test('the recorded chat turn, 6 of whose 9 spans in 4 traces miss their parent, becomes one tree', async () => {
  const left = await replay()
  expect(trees(left.get('0057_v1_traces')!)).toEqual({
    tree: [
      'context.assembled (run)',
      'model.call (run)',
      'exec (tool.execution)',
      'tool.execution (run)',
      'model.call (run)',
      'run (harness.run)',
      'harness.run (message.processed)',
      'model.usage (message.processed)',
      'message.processed',
    ],
    faults: [],
  })
})

test('without joining by time the traces stay apart, each with one root and no missing parent', async () => {
  const left = await replay({ stitch: { join_by_time: false } })
  for (const [file, traces] of [
    ['0023_v1_traces', 3],
    ['0057_v1_traces', 4],
  ] as const) {
    const payload = left.get(file)!
    expect(trees(payload).faults).toEqual([])
    const ids = new Set([...openDraft(payload as Payload<'traces'>).spans()].map(span => span.traceIdHex()))
    expect(ids.size).toBe(traces)
  }
})

test('the duration of runs is counted once a turn: two turns, two runs', async () => {
  const left = await replay()
  const points = [...openDraft(left.get('0066_v1_metrics')! as Payload<'metrics'>).points()]
  const runs = points.filter(point => point.metric.name === 'openclaw.run.duration_ms')
  expect(runs.map(point => [point.count, point.sum])).toEqual([[2n, 45_304]])
  const before = [...openDraft(recorded('metrics', '0066_v1_metrics.pb')).points()]
  expect(points).toHaveLength(before.length - 1)
})

test('no reply and no command argument leaves, and every other line does', async () => {
  const left = await replay()
  const everything = [...left.values()].map(payload => toJson(payload)).join('\n')
  for (const text of ['hello from the mock model', 'process.command_args', '--verbose']) {
    expect(everything).not.toContain(text)
  }
  const before = toJson(recorded('logs', '0022_v1_logs.pb'))
  expect(before).toContain('hello from the mock model')
  const bodies = [...openDraft(left.get('0054_v1_logs')! as Payload<'logs'>).logs()].map(log => log.body)
  expect(bodies).toEqual([...openDraft(recorded('logs', '0054_v1_logs.pb')).logs()].map(log => log.body))
})

// `npx vitest run processors/agent_gateway -u` writes the golden files anew.
test.each(RECORDED)('recorded %s %s leaves as its golden file says', async (_signal, file) => {
  const left = await replay()
  const golden = join(import.meta.dirname, 'testdata', `${file}.golden.json`)
  await expect(pretty(left.get(file)!)).toMatchFileSnapshot(golden)
})

test('under another prefix, with names of the GenAI conventions, they leave as the golden file says', async () => {
  const left = await replay({ rename_prefix: 'agent', gen_ai: true, stitch: { mark: '' } })
  const text = ['0022_v1_logs', '0057_v1_traces'].map(file => pretty(left.get(file)!)).join('')
  expect(text).not.toMatch(/"(key|name)": "openclaw\./)
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'testdata', 'renamed.golden.json'))
})
