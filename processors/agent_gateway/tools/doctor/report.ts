import type { GatewayVersion } from '../gateway/version.ts'
import { type Arrivals, type GatewaySignal, SIGNALS } from './arrivals.ts'
import { guessVersion, remarksOn, whyMissing, whyNothing } from './diagnosis.ts'

/** What the doctor found, for people and programs. */
export interface Report {
  readonly ok: boolean
  readonly endpoint: string
  readonly signals: Readonly<Record<GatewaySignal, SignalReport>>
  readonly services: readonly string[]
  readonly userAgents: readonly string[]
  readonly formats: readonly string[]
  readonly temporalities: readonly string[]
  readonly traces: number
  /** Spans that point to a parent which did not arrive. */
  readonly orphans: number
  readonly securityRecords: number
  readonly authorized: boolean
  readonly gatewayVersion?: string
  readonly otherRequests: readonly {
    readonly method: string
    readonly path: string
    readonly status: number
    readonly why: string
  }[]
  readonly remarks: readonly string[]
  /** Why nothing arrived, when nothing did. */
  readonly reasons: readonly string[]
}

interface SignalReport {
  readonly wanted: boolean
  readonly arrived: boolean
  readonly requests: number
  readonly items: number
  readonly bytes: number
  readonly names: Readonly<Record<string, number>>
  readonly reasons: readonly string[]
}

/** Sums up what arrived and says why the rest did not. */
export function reportOn(
  arrivals: Arrivals,
  endpoint: string,
  wanted: readonly GatewaySignal[],
  version: GatewayVersion | undefined,
): Report {
  const guess = guessVersion(arrivals)
  const signal = (name: GatewaySignal): SignalReport => {
    const { requests, items, bytes, names } = arrivals.signals[name]
    const missing = wanted.includes(name) && items === 0
    return {
      wanted: wanted.includes(name),
      arrived: items > 0,
      ...{ requests, items, bytes },
      names: Object.fromEntries([...names].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      reasons: missing && arrivals.any ? whyMissing(name) : [],
    }
  }
  return {
    ok: arrivals.has(wanted),
    endpoint,
    signals: { traces: signal('traces'), metrics: signal('metrics'), logs: signal('logs') },
    services: [...arrivals.services],
    userAgents: [...arrivals.userAgents],
    formats: [...arrivals.formats],
    temporalities: [...arrivals.temporalities],
    traces: arrivals.traceIds.size,
    orphans: arrivals.orphans,
    securityRecords: arrivals.securityRecords,
    authorized: arrivals.authorized,
    ...(guess !== undefined && { gatewayVersion: guess }),
    otherRequests: arrivals.knocks,
    remarks: remarksOn(arrivals),
    reasons: arrivals.any ? [] : whyNothing(endpoint, version),
  }
}

const ITEMS = { traces: 'spans', metrics: 'data points', logs: 'log records' } as const

/** The report for people. */
export function printReport(report: Report): string {
  const lines: string[] = []
  for (const name of SIGNALS) {
    const signal = report.signals[name]
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`.padEnd(8)
    if (!signal.arrived) {
      lines.push(`${label} ${signal.wanted ? 'MISSING' : 'none, and none expected'}`)
      for (const reason of signal.reasons) lines.push(`           - ${reason}`)
      continue
    }
    const more =
      name === 'traces'
        ? ` in ${report.traces} traces`
        : name === 'metrics'
          ? `, ${report.temporalities.join(' and ')}`
          : ''
    lines.push(
      `${label} ${signal.items} ${ITEMS[name]}${more}, ${signal.requests} request${signal.requests === 1 ? '' : 's'}, ${signal.bytes} bytes`,
    )
    lines.push(`           ${namesOf(signal.names)}`)
  }
  if (report.services.length > 0) lines.push(`Service  ${report.services.join(', ')}`)
  if (report.userAgents.length > 0) {
    const guess = report.gatewayVersion === undefined ? '' : `: gateway ${report.gatewayVersion}`
    lines.push(`Sender   ${report.userAgents.join(', ')}${guess}`)
  }
  for (const { method, path, status, why } of report.otherRequests)
    lines.push(`Other    ${method} ${path}: ${status}, ${why}`)
  if (report.reasons.length > 0) {
    lines.push('', 'Nothing arrived. Usually because, the likeliest first:')
    for (const reason of report.reasons) lines.push(`  - ${reason}`)
  }
  if (report.remarks.length > 0) lines.push('')
  for (const remark of report.remarks) lines.push(`Note: ${remark}`)
  return `${lines.join('\n')}\n`
}

/** The most frequent names. */
function namesOf(names: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(names).toSorted(([, a], [, b]) => b - a)
  const shown = sorted.slice(0, SHOWN).map(([name, count]) => (count === 1 ? name : `${name} x${count}`))
  return `${shown.join(', ')}${sorted.length > SHOWN ? `, and ${sorted.length - SHOWN} more` : ''}`
}

const SHOWN = 12
