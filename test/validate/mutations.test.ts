// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { cli } from '../../core/service/cli/cli.test-support.ts'
import type { Diagnostic } from '../../core/service/diagnostics/diagnostic.ts'
import { few } from './distribution.test-support.ts'

/**
 * A configuration that is fine and holds the word `hunter2` wherever a secret may stand, always behind a colon: so no slip
 * makes it part of the value above, which may be one that answers quote.
 */
const GOOD = `# The gateway of the shop; the old password was hunter2.
receivers:
  otlp:
    protocols:
      grpc:
        endpoint: localhost:4317
        keepalive: { server_parameters: { max_connection_age: 1h } }
      http:
        response_headers: { x-served-by: hunter2 }
  otlp/inner: { protocols: { grpc: { endpoint: localhost:5317 } } }

processors:
  memory_limiter: &limit
    check_interval: 1s
    limit_mib: 512
  batch: { timeout: 200ms, send_batch_size: 100, metadata_keys: [tenant] }

exporters:
  otlp_http:
    endpoint: https://shop:hunter2@backend.example.com:4318/v1?key=hunter2
    headers:
      authorization: Bearer hunter2
      tenant: hunter2
    compression: gzip
    tls:
      ca_pem: |
        Proc-Type: hunter2
        DEK-Info: hunter2
    auth: { authenticator: bearertokenauth }
  debug:
    verbosity: basic
    sending_queue: { enabled: true, num_consumers: 2 }

connectors:
  forward:

extensions:
  bearertokenauth:
    scheme: Bearer
    token: hunter2
  health_check:

service:
  extensions: [bearertokenauth, health_check]
  telemetry: { logs: { level: info }, metrics: { level: none } }
  pipelines:
    traces:
      receivers: [otlp]
      processors: [memory_limiter, batch]
      exporters: [otlp_http, forward]
    traces/2:
      receivers: [forward, otlp/inner]
      exporters: [debug]
`

/** What a slip of the hand does: whole lines anywhere, single characters only where no secret is typed. */
const mutation = fc.oneof(
  ...(['delete', 'repeat', 'swap', 'indent', 'unindent', 'comment'] as const).map(kind =>
    fc.record({ kind: fc.constant(kind), at: fc.nat(), text: fc.constant('') }),
  ),
  fc.record({
    kind: fc.constantFrom('insert', 'replace'),
    at: fc.nat(),
    text: fc.oneof(
      fc.constantFrom(
        ':',
        ' ',
        '\t',
        '-',
        '[',
        ']',
        '{',
        '}',
        ',',
        '#',
        '&a ',
        '*limit',
        '<<: ',
        '|',
        '>',
        '!!int ',
        '\r',
      ),
      fc.constantFrom(
        '${env:X}',
        '$',
        '\ufeff',
        '\u0000',
        '\u202e',
        '1e999',
        '0x',
        '::',
        'null',
        '---\n',
        '日本',
        '🚦',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }).map(text => text.replace(/["']/g, '')),
    ),
  }),
)
type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never

function mutate(text: string, { kind, at, text: inserted }: Mutation): string {
  const lines = text.split('\n')
  const index = at % lines.length
  const line = lines[index]!
  switch (kind) {
    case 'delete':
      return lines.toSpliced(index, 1).join('\n')
    case 'repeat':
      return lines.toSpliced(index, 0, line).join('\n')
    case 'swap':
      return lines
        .with(index, lines.at(index - 1)!)
        .with(index - 1, line)
        .join('\n')
    case 'indent':
      return lines.with(index, `  ${line}`).join('\n')
    case 'unindent':
      return lines.with(index, line.replace(/^ {2}/, '')).join('\n')
    case 'comment':
      return lines.with(index, `# ${line}`).join('\n')
    default: {
      if (line.includes('hunter2')) return text
      const column = at % (line.length + 1)
      const after = line.slice(kind === 'replace' ? column + 1 : column)
      return lines.with(index, line.slice(0, column) + inserted + after).join('\n')
    }
  }
}

async function check(path: string, text: string): Promise<void> {
  writeFileSync(path, text)
  for (const format of ['text', 'json']) {
    const { code, out, err } = await cli(['validate', '--config', path, '--format', format], { distribution: few })
    expect([0, 1]).toContain(code)
    expect(out + err).not.toContain('hunter2')
    expect(err).not.toMatch(/^ +at /m)
    if (format === 'text') continue
    const { valid, diagnostics } = JSON.parse(out) as { valid: boolean; diagnostics: Diagnostic[] }
    expect(valid).toBe(code === 0)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.length > 0).toBe(!valid)
    for (const diagnostic of diagnostics) expect(isInside(diagnostic, text)).toBe(true)
  }
}

function isInside({ line = 1, column = 1, endLine = line, endColumn = column + 1 }: Diagnostic, text: string): boolean {
  const written = text.replace(/^\ufeff/, '').split('\n')[line - 1]
  return written !== undefined && column >= 1 && column <= written.length + 1 && endLine === line && endColumn > column
}

test('what the mutations begin with is fine', async () => {
  await using dir = await tempDir()
  writeFileSync(dir.file('c.yaml'), GOOD)
  const { code, err } = await cli(['validate', '--config', dir.file('c.yaml')], { distribution: few })
  expect({ code, faults: err.split('\n').filter(line => /^\w/.test(line) && !line.includes('plain text')) }).toEqual({
    code: 0,
    faults: [],
  })
})

test('whatever happens to a configuration, it is answered with places that are there and without its secrets', {
  timeout: 120_000,
}, async () => {
  await using dir = await tempDir()
  const path = dir.file('c.yaml')
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 6 }), mutations =>
      check(path, mutations.reduce(mutate, GOOD)),
    ),
    { numRuns: 400 },
  )
})

test('any text is answered', { timeout: 120_000 }, async () => {
  await using dir = await tempDir()
  const path = dir.file('c.yaml')
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), text => check(path, text.toWellFormed())),
    { numRuns: 200 },
  )
})
