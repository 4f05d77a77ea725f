import { admit, encode, type PlainKeyValue } from '#core/data'
import { configure } from '#core/testing'
import { securityEventConfig } from '../../exporters/security_event/config.ts'
import { bodyOf, Progress } from '../../exporters/security_event/delivery/progress.ts'
import { FORMATS } from '../../exporters/security_event/mapping/format.ts'
import { mappingOf } from '../../exporters/security_event/mapping-of.ts'
import { targetOf } from '../../exporters/security_event/targets/targets.ts'

/**
 * Log records a CPU second from OTLP bytes to the bodies of requests, for each format: read, mapped, put together.
 * Records have about 450 bytes and ten attributes, in requests of 500.
 * Run: node test/bench/security-events.ts [seconds a format] [format]...
 */

const RECORDS = 500
const START = 1_767_225_600_000_000_000n

const [seconds = '3', ...formats] = process.argv.slice(2)
const bytes = encode('logs', {
  resourceLogs: [
    {
      resource: { attributes: strings({ 'service.name': 'shop', 'service.version': '1.2.3', 'host.name': 'node-17' }) },
      scopeLogs: [{ scope: { name: 'auth', version: '2.0' }, logRecords: Array.from({ length: RECORDS }, record) }],
    },
  ],
})
console.log(`${RECORDS} records of ${Math.round(bytes.length / RECORDS)} bytes with 10 attributes in a request`)
for (const format of FORMATS) {
  if (formats.length === 0 || formats.includes(format)) console.log(`${format.padEnd(9)}${rate(format)}`)
}

function rate(format: (typeof FORMATS)[number]): string {
  const config = configure(securityEventConfig, { format })
  const target = targetOf(config)
  const mapping = mappingOf(config, format, { command: 'bench', description: '', version: '1' }, Date.now)
  const once = () => {
    const { payload } = admit('logs', bytes)
    const progress = new Progress(payload, mapping, target, config.max_event_bytes)
    return bodyOf(target, progress.pending).length
  }
  for (let i = 0; i < 40; i++) once()
  const begun = process.cpuUsage()
  let requests = 0
  let size = 0
  let micros = 0
  while (micros < Number(seconds) * 1e6) {
    for (let i = 0; i < 10; i++) size = once()
    requests += 10
    const { user, system } = process.cpuUsage(begun)
    micros = user + system
  }
  const perSecond = Math.round((requests * RECORDS) / (micros / 1e6))
  return `${perSecond.toLocaleString('en').padStart(9)} records a CPU second, ${Math.round(size / RECORDS)} bytes an event`
}

function record(_: unknown, i: number) {
  return {
    timeUnixNano: START + BigInt(i) * 1_000_000n,
    observedTimeUnixNano: START + BigInt(i) * 1_000_000n + 1000n,
    severityNumber: 17,
    severityText: 'ERROR',
    eventName: 'auth.login.failed',
    traceId: id(16, i),
    spanId: id(8, i),
    body: { stringValue: `Login of user-${i} from the branch office failed, attempt ${i % 7}` },
    attributes: [
      ...strings({
        'user.name': `user-${i}`,
        'client.address': `10.0.${i % 250}.${(i * 7) % 250}`,
        'server.address': 'shop.example.com',
        'http.request.method': 'POST',
        'url.path': '/api/v1/login',
        'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64)',
        'session.id': `s-${(i * 7919) % 65_536}`,
        'thread.name': `worker-${i % 16}`,
      }),
      { key: 'http.response.status_code', value: { intValue: 401 } },
      { key: 'attempt', value: { intValue: i } },
    ],
  }
}

function strings(attributes: Record<string, string>): PlainKeyValue[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

function id(size: number, n: number): Buffer {
  const bytes = Buffer.alloc(size, 0x11)
  bytes.writeUInt32BE(n * 2_654_435, 4)
  return bytes
}
