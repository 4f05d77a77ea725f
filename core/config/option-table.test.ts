import { expect, test } from 'vitest'
import { optionTable } from './option-table.ts'
import { t } from './schema.ts'

const o = { description: 'What it is for.' }

test('every option is a row, nested ones with dotted names, in the words of the field', () => {
  const schema = t.section({
    endpoint: t.endpoint({ description: 'Where to listen.' }),
    timeout: t.duration({ default: '200ms', description: 'How long to wait.' }),
    max_size: t.bytes({ default: '4MiB', description: 'The largest body.' }),
    tls: t.whenPresent(t.section({ ca_file: t.optional(t.string(o)), insecure: t.boolean({ ...o, default: false }) }), {
      description: 'Encrypts.',
    }),
    queue: t.unlessDisabled(t.section({ size: t.integer({ ...o, default: 1000 }) }), { description: 'Waits.' }),
    plain: t.section({ level: t.oneOf(['a', 'b'], { ...o, default: 'a' }) }),
    headers: t.headers({ ...o, default: {} }),
    token: t.optional(t.secret(o)),
    actions: t.list(t.section({ key: t.string({ description: 'a | b' }) }), { ...o, default: [] }),
    tags: t.list(t.string(o), { ...o, default: ['x'] }),
    routes: t.map(t.section({ to: t.componentId(o) }), { ...o, default: {} }),
    old: t.optional(t.string({ ...o, deprecated: 'use endpoint' })),
    pattern: t.regexp({ ...o, default: '' }),
    anything: t.optional(t.any(o)),
  })
  expect(optionTable(schema).split('\n')).toEqual([
    '| Option | Type | Default | Description |',
    '| --- | --- | --- | --- |',
    '| `endpoint` | endpoint | required | Where to listen. |',
    '| `timeout` | duration | `200ms` | How long to wait. |',
    '| `max_size` | size | `4MiB` | The largest body. |',
    '| `tls` | section | off | Encrypts. |',
    '| `tls.ca_file` | string |  | What it is for. |',
    '| `tls.insecure` | boolean | `false` | What it is for. |',
    '| `queue` | section | on | Waits. |',
    '| `queue.size` | whole number | `1000` | What it is for. |',
    '| `plain.level` | `a`, `b` | `a` | What it is for. |',
    '| `headers` | headers | `{}` | What it is for. |',
    '| `token` | secret |  | What it is for. |',
    '| `actions` | list of sections | `[]` | What it is for. |',
    '| `actions[].key` | string | required | a \\| b |',
    '| `tags` | list of strings | `["x"]` | What it is for. |',
    '| `routes` | map of sections | `{}` | What it is for. |',
    '| `routes.*.to` | component id | required | What it is for. |',
    '| `old` | string |  | What it is for. **Deprecated**: use endpoint. |',
    '| `pattern` | regular expression | `""` | What it is for. |',
    '| `anything` | any value |  | What it is for. |',
    '',
  ])
})

test('nothing to set is said in words', () => {
  expect(optionTable(t.section({}))).toBe('No options.\n')
})
