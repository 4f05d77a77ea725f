/**
 * `npm run torture:overload`: the collector as a process, offered twice the rate it can carry, over gRPC and then over
 * HTTP. Its memory must not grow after minute two, every refusal must be retryable, and all that it accepted must arrive.
 *
 *     npm run torture:overload -- [minutes=10] [grpc|http|both] [limit_mib=300]
 *
 * `NODE_OPTIONS` reaches the collector.
 */
import { type OverloadReport, runOverload } from './overload-run.ts'

/** Resident memory at the end may be so many times that of minute two. */
const GROWTH = 1.15

const [minutes = '10', which = 'both', limit = '300'] = process.argv.slice(2)
const seconds = Number(minutes) * 60
const limitMiB = Number(limit)

for (const protocol of ['grpc', 'http'] as const) {
  if (which !== 'both' && which !== protocol) continue
  const report = await runOverload({ protocol, seconds, calibration: 10, limitMiB })
  if (!print(protocol, report)) process.exitCode = 1
}

function print(protocol: string, report: OverloadReport): boolean {
  const { outcome, rss } = report
  const minuteTwo = Math.min(120, Math.floor(rss.length * 0.4))
  const [before, after] = [around(rss, minuteTwo), around(rss, rss.length)]
  const refused = Object.values(outcome.refused).reduce((sum, count) => sum + count, 0)
  const checks: readonly (readonly [string, boolean])[] = [
    [`resident memory at the end is ${(after / before).toFixed(2)} times that of before`, after <= GROWTH * before],
    ['some requests were refused', refused > 0],
    [`every refusal was retryable (${report.final} were not)`, report.final === 0],
    [`every request was answered (${outcome.lost} were not)`, outcome.lost === 0],
    [`${report.accepted} spans were accepted and ${report.arrived} arrived`, report.accepted === report.arrived],
    [`the collector ended well (exit code ${report.exitCode})`, report.exitCode === 0],
  ]
  const rate = (requests: number) => (requests / outcome.seconds).toFixed(0)
  const lines = [
    `\n${protocol}: ${minutes} min, limit_mib ${limitMiB}`,
    `  requests a second   at capacity ${report.capacity.toFixed(0)}, carried ${report.carried.toFixed(0)}, offered ${report.offered.toFixed(0)}`,
    `  of these            accepted ${rate(outcome.accepted)}, refused ${rate(refused)}, not sent for lack of answers ${rate(outcome.unsent)}; forwarded ${report.forwarded.toFixed(0)}`,
    `  requests            accepted ${outcome.accepted}, refused ${refused} (${JSON.stringify(outcome.refused)}, ${outcome.hinted} with a time)`,
    `  CPU                 ${report.cpu.toFixed(2)} seconds a second`,
    `  resident memory     at ${minuteTwo} s ${before.toFixed(0)} MiB, at the end ${after.toFixed(0)} MiB, peak ${Math.max(...rss).toFixed(0)} MiB`,
    ...checks.map(([what, holds]) => `  ${holds ? 'ok  ' : 'FAIL'} ${what}`),
  ]
  console.log(lines.join('\n'))
  return checks.every(([, holds]) => holds)
}

/** The mean of the ten seconds before `second`. */
function around(samples: readonly number[], second: number): number {
  const window = samples.slice(Math.max(0, second - 10), second)
  return window.reduce((sum, each) => sum + each, 0) / window.length
}
