import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aLog, aSpan, type PlainAttributes, type PlainValue } from '#core/testing'
import { rig } from './rig.test-support.ts'
import { COMMAND_RULES } from './rules/commands.ts'
import { PATH_RULES } from './rules/paths.ts'
import { TEXT_RULES } from './rules/texts.ts'

const found = [...PATH_RULES, ...COMMAND_RULES, ...TEXT_RULES].flatMap(rule => rule.found)
const name = fc.constantFrom(
  ...['gen_ai.tool.name', 'gen_ai.tool.call.arguments', 'gen_ai.tool.call.id', 'gen_ai.tool.call.result', 'file.path'],
  ...['gen_ai.input.messages', 'process.command_args', 'openclaw.exec.command', 'openclaw.outcome', 'openclaw.note'],
  ...[
    'openclaw.security.action',
    'openclaw.security.event_id',
    'openclaw.security.actor.kind',
    'openclaw.deniedReason',
  ],
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...found, 'exec', 'write', 'blocked', 'gateway.auth.failed'),
)
const value: fc.Arbitrary<PlainValue> = fc.letrec<{ value: PlainValue; leaf: PlainValue }>(tie => ({
  leaf: fc.oneof(text, fc.integer(), fc.double({ noInteger: true }), fc.boolean(), fc.constant(null), fc.uint8Array()),
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('command', 'path', 'url', 'args', 'role', 'content', 'x'), tie('value'), {
      maxKeys: 3,
    }),
    fc.json(),
  ),
})).value
const attributes = fc.dictionary(name, value, { maxKeys: 6 }) as fc.Arbitrary<PlainAttributes>
const id = fc.constantFrom(new Uint8Array(0), new Uint8Array(8).fill(1), new Uint8Array(16).fill(2))

test('whatever comes over the wire is examined, and what is raised is a record', async () => {
  const rules = [{ id: 'own', attributes: ['body', '<prefix>.note'], pattern: '.' }]
  await fc.assert(
    fc.asyncProperty(
      fc.array(attributes, { minLength: 1, maxLength: 4 }),
      id,
      fc.oneof(text, value),
      async (all, traceId, body) => {
        const r = rig({ rules, bursts: { count: 2 } })
        const names = ['openclaw.tool.execution', 'tool.x', 'chat']
        await r.spans(
          ...all.map((each, n) => ({
            ...aSpan({ name: names[n % 3]!, attributes: each, traceId }, n),
            spanId: traceId.subarray(0, 8),
          })),
        )
        await r.logs(
          ...all.map((each, n) => aLog({ body, attributes: each, traceId }, n)),
          aLog({ body: 'openclaw.security.event', attributes: all[0]! }),
        )
        for (const { record, attributes: own } of r.out()) {
          expect(record.body).toBeDefined()
          if (own['rule.id'] !== undefined) expect(own['openclaw.security.event_id']).toMatch(/^[0-9a-f-]{36}$/)
        }
      },
    ),
    { numRuns: 300 },
  )
})
