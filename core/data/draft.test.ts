import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { admit } from './admit.ts'
import { DraftSealed } from './chunk-draft.ts'
import { openDraft } from './draft.ts'
import { key } from './key.ts'
import { decoded, encoded, OTLP_SIGNALS, RandomRequests } from './otlp.test-support.ts'
import { Chunk, Payload } from './payload.ts'
import { Double, type Value } from './records.ts'

/** Raise it to look longer: seeds go from 0 upwards. */
const RUNS = 2000

function traces(...names: string[]) {
  return admit('traces', encoded('traces', { resourceSpans: names.map(name => entry(name, 3)) })).payload
}

function entry(service: string, spans: number) {
  return {
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [
      { scope: { name: 'lib' }, spans: Array.from({ length: spans }, (_, i) => ({ name: `${service} ${i}` })) },
    ],
  }
}

/** Three gauges, with two points, one point and none. */
function metrics() {
  const metrics = [2, 1, 0].map((points, i) => ({
    name: `m${i}`,
    gauge: { dataPoints: Array.from({ length: points }, () => ({ asInt: 1 })) },
  }))
  return admit('metrics', encoded('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })).payload
}

/** The value as it is read in the same draft, and after sealing. */
function roundTrip(value: Value | Double): (Value | undefined)[] {
  const draft = openDraft(traces('a'))
  for (const span of draft.spans()) span.attributes.set('k', value)
  const open = draft.spans().next().value?.attributes.get('k')
  return [open, openDraft(draft.seal()).spans().next().value?.attributes.get('k')]
}

describe('a draft', () => {
  test('does what parsing, changing and writing objects does, whatever the payload and the edits', async () => {
    const url = new URL('./draft-fuzzer-worker.test-support.ts', import.meta.url)
    const worker = new Worker(url, { workerData: RUNS, execArgv: [] })
    expect(await once(worker, 'exit')).toEqual([0])
  }, 240_000)

  test('that was only read seals to the very payload', () => {
    for (let seed = 0; seed < 60; seed++) {
      const signal = OTLP_SIGNALS[seed % 3]!
      const { payload } = admit(signal, new RandomRequests(seed).request(signal))
      const draft = openDraft(payload)
      for (const record of draft.records()) for (const [name] of record.attributes) record.attributes.get(name)
      for (const resource of draft.resources()) for (const scope of resource.scopes) scope.attributes.has('a')
      expect(draft.seal()).toBe(payload)
    }
  })

  test('whose edits were taken back seals to the very payload', () => {
    const payload = traces('a')
    const draft = openDraft(payload)
    for (const span of draft.spans()) {
      span.attributes.set('tenant', 'a')
      span.attributes.delete('tenant')
    }
    for (const resource of draft.resources()) {
      resource.attributes.set('x', 1)
      resource.attributes.delete('x')
    }
    expect(draft.seal()).toBe(payload)
  })

  test('keeps the chunks in which nothing has changed', () => {
    const chunks = [...traces('a').chunks, ...traces('b').chunks]
    const draft = openDraft(new Payload('traces', chunks))
    for (const span of draft.spans()) if (span.name === 'b 1') span.drop()
    const sealed = draft.seal()
    expect(sealed.chunks[0]).toBe(chunks[0])
    expect(sealed.items).toBe(5)
  })

  test('refers to long untouched runs instead of copying them', () => {
    const payload = admit('traces', encoded('traces', { resourceSpans: [entry('a', 2000)] })).payload
    const draft = openDraft(payload)
    for (const resource of draft.resources()) resource.attributes.set('env', 'prod')
    const { pieces } = draft.seal().chunks[0]!
    const source = payload.flat().buffer
    const copied = pieces.filter(piece => piece.buffer !== source)
    expect(pieces.length).toBeGreaterThan(copied.length)
    expect(copied.reduce((sum, piece) => sum + piece.length, 0)).toBeLessThan(200)
  })

  test('throws at edits after it has been sealed, and reads as before them', () => {
    const draft = openDraft(traces('a'))
    const [first, second] = [...draft.spans()]
    first!.name = 'changed'
    first!.attributes.set('k', 1)
    second!.drop()
    const sealed = draft.seal()
    for (const edit of [
      () => first!.attributes.set('k', 2),
      () => first!.attributes.delete('k'),
      () => first!.attributes.rename('k', 'l'),
      () => first!.drop(),
      () => first!.setStatus(2),
      () => {
        first!.kind = 3
      },
    ]) {
      expect(edit).toThrow(DraftSealed)
    }
    expect(first!.name).toBe('a 0')
    expect(first!.attributes.has('k')).toBe(false)
    expect([...draft.spans()].map(span => span.name)).toEqual(['a 0', 'a 1', 'a 2'])
    expect(draft.seal()).toBe(sealed)
  })

  test('of another signal refuses to be walked', () => {
    expect(() => openDraft(traces('a')).logs()).toThrow('Could not walk log records: the draft holds traces')
    expect(() => openDraft(traces('a')).metrics()).toThrow(TypeError)
  })
})

describe('dropping', () => {
  test('takes scopes and resources that have become empty along', () => {
    const draft = openDraft(traces('a', 'b'))
    for (const span of draft.spans()) if (span.name.startsWith('a')) span.drop()
    expect(draft.items).toBe(3)
    const sealed = draft.seal()
    expect([...openDraft(sealed).resources()]).toHaveLength(1)
    expect(sealed.items).toBe(3)
  })

  test('everything leaves an empty payload', () => {
    const draft = openDraft(traces('a', 'b'))
    for (const span of draft.spans()) span.drop()
    expect(draft.seal()).toMatchObject({ chunks: [], items: 0, bytes: 0 })
  })

  test('leaves a scope in which there is more than was walked', () => {
    const draft = openDraft(traces('a'))
    draft.spans().next().value!.drop()
    expect([...openDraft(draft.seal()).spans()].map(span => span.name)).toEqual(['a 1', 'a 2'])
  })

  test('leaves what was empty when it came', () => {
    const empty = { scopeSpans: [{ scope: { name: 'empty' } }] }
    const request = encoded('traces', { resourceSpans: [empty, entry('a', 1), {}] })
    const draft = openDraft(admit('traces', request).payload)
    for (const span of draft.spans()) span.drop()
    expect(decoded('traces', draft.seal().flat())).toEqual({ resourceSpans: [empty, {}] })
  })

  test('all points of a metric drops it, and a metric its points, each counted once', () => {
    const draft = openDraft(metrics())
    const [first, second, third] = [...draft.points()]
    third!.drop()
    third!.drop()
    expect(draft.items).toBe(2)
    first!.drop()
    draft.metrics().next().value!.drop()
    second!.drop()
    expect(draft.items).toBe(0)
    expect([...draft.metrics()].map(metric => metric.name)).toEqual(['m1', 'm2'])
    expect([...openDraft(draft.seal()).metrics()].map(metric => metric.name)).toEqual(['m2'])
  })

  test('during a walk hides the record from it', () => {
    const draft = openDraft(traces('a'))
    const all = [...draft.spans()]
    const seen: string[] = []
    for (const span of draft.spans()) {
      seen.push(span.name)
      all[1]!.drop()
    }
    expect(seen).toEqual(['a 0', 'a 2'])
  })
})

describe('attributes', () => {
  test('hold every kind of value', () => {
    const deep: Value = ['a', 1, -1, 2.5, true, null, { b: ['c', {}], '': '' }, []]
    for (const value of [deep, 'text', 0, -1, 2 ** 53 - 1, 1e300, false, null, {}, 2n ** 63n - 1n, -(2n ** 63n)]) {
      expect(roundTrip(value)).toEqual([value, value])
    }
    expect(roundTrip(Buffer.from([1, 2]))).toEqual([Buffer.from([1, 2]), Buffer.from([1, 2])])
    expect(roundTrip(5n)).toEqual([5, 5])
  })

  test('tell integers from doubles', () => {
    const draft = openDraft(traces('a'))
    const [span] = draft.spans()
    span!.attributes.set('int', 3)
    span!.attributes.set('double', new Double(3))
    expect(['int', 'double', 'none'].map(name => span!.attributes.kind(name))).toEqual(['int', 'double', undefined])
  })

  test('keep a name that means something to JavaScript', () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2}')
    const [read] = roundTrip(value)
    expect(Object.entries(read as object)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ])
  })

  test('refuse what OTLP cannot hold, and stay as they were', () => {
    const [span] = openDraft(traces('a')).spans()
    let nested: Value = []
    for (let i = 0; i < 60; i++) nested = [nested]
    const circle: Value[] = []
    circle.push(circle)
    expect(() => span!.attributes.set('k', 2n ** 63n)).toThrow('Could not encode an integer that does not fit into 64')
    expect(() => span!.attributes.set('k', nested)).toThrow(RangeError)
    expect(() => span!.attributes.set('k', circle)).toThrow(RangeError)
    expect(() => span!.attributes.set('k', undefined as unknown as Value)).toThrow(TypeError)
    expect([...span!.attributes]).toEqual([])
  })

  test('as deep as a draft writes them pass the door', () => {
    let nested: Value = 'core'
    for (let i = 0; i < 28; i++) nested = { k: nested }
    const draft = openDraft(traces('a'))
    for (const span of draft.spans()) span.attributes.set('deep', nested)
    const again = admit('traces', Buffer.from(draft.seal().flat())).payload
    expect(openDraft(again).spans().next().value!.attributes.get('deep')).toEqual(nested)
  })

  test('take prepared keys, keys of others, and more names than are remembered', () => {
    const draft = openDraft(traces('a'))
    const [span] = draft.spans()
    span!.attributes.set(key('first'), 1)
    for (let i = 0; i < 5000; i++) key(`name ${i}`)
    span!.attributes.set('first', 2)
    expect(span!.attributes.get({ name: 'first', bytes: Buffer.from('first') })).toBe(2)
    expect(span!.attributes.size).toBe(1)
  })

  test('may be changed while they are iterated', () => {
    const draft = openDraft(traces('a'))
    const [span] = draft.spans()
    for (const name of ['a', 'b', 'c']) span!.attributes.set(name, name)
    const seen: string[] = []
    for (const [name] of span!.attributes) {
      seen.push(name)
      span!.attributes.delete(name)
      if (name === 'a') span!.attributes.set('d', 1)
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd'])
    expect(span!.attributes.size).toBe(0)
  })
})

test('bytes that have not passed the door end every walk, if with an error', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = new RandomRequests(seed)
    const signal = OTLP_SIGNALS[seed % 3]!
    const bytes = random.request(signal)
    for (let i = 0; i < 5 && bytes.length > 0; i++)
      bytes[random.below(bytes.length)] = random.pick([0, 127, 255, 10, 18])
    const draft = openDraft(new Payload(signal, [new Chunk([bytes.subarray(random.below(3))], 1)]))
    try {
      for (const record of draft.records()) {
        for (const [name] of record.attributes) record.attributes.rename(name, 'other')
        record.attributes.set('tenant', 'a')
      }
      draft.seal()
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
})

test('a number a field cannot hold is refused', () => {
  const [span] = openDraft(traces('a')).spans()
  expect(() => {
    span!.kind = -1
  }).toThrow('Could not set an enumeration to -1')
  expect(() => {
    span!.startTime = -1n
  }).toThrow('Could not set an unsigned integer of 64 bits to -1')
})
