import { readFile } from 'node:fs/promises'
import type { Command, CommandInvocation } from '#core/component'
import { processEnvironment } from '#core/config'
import { LATEST_VERSION } from '../gateway/facts.ts'
import { isBefore, parseVersion } from '../gateway/version.ts'
import { readVersionOption, VERSION_OPTION } from '../gateway/version-option.ts'
import type { CheckResult } from './check-gateway.ts'
import { printFinding } from './finding.ts'

/** Judges the gateway's own configuration file before the gateway does. */
export const checkCommand: Command = {
  name: 'gateway check',
  summary: "Checks the agent gateway's configuration file: everything that keeps telemetry from arriving",
  usage: 'gateway check <file> [--gateway-version <version>] [--format text|json]',
  options: {
    'gateway-version': VERSION_OPTION,
    format: { type: 'string', description: 'text or json', default: 'text' },
  },
  run: check,
}

async function check({ options, operands, stdout, stderr }: CommandInvocation): Promise<number> {
  const [file] = operands
  const usage = (message: string) => {
    stderr.write(`Error: ${message}\n`)
    return 2
  }
  if (file === undefined || operands.length > 1) return usage('one configuration file must be given')
  if (options.format !== 'text' && options.format !== 'json') return usage('format must be text or json')
  const version = readVersionOption(options)
  if (version instanceof Error) return usage(version.message)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    stderr.write(`Error: cannot read ${file}: ${(error as Error).message}\n`)
    return 1
  }
  // Loaded when needed: a collector that starts has no use for it.
  const { checkGateway } = await import('./check-gateway.ts')
  const result = checkGateway({ text, file, env: processEnvironment(), ...(version && { version }) })
  const errors = result.findings.filter(({ severity }) => severity === 'error').length
  if (options.format === 'json') stdout.write(`${JSON.stringify(asJson(file, result), undefined, 2)}\n`)
  else {
    for (const finding of result.findings) stdout.write(`${printFinding(finding)}\n`)
    stderr.write(`${summaryOf(result, errors)}\n`)
  }
  return errors === 0 ? 0 : 1
}

function summaryOf({ findings, version, versionFrom }: CheckResult, errors: number): string {
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
  const sum = `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`
  const newer = isBefore(parseVersion(LATEST_VERSION)!, version.text) ? `, judged like ${LATEST_VERSION}` : ''
  const why = {
    option: '',
    file: ', which last wrote the file (--gateway-version says otherwise)',
    latest: ', the newest known (--gateway-version says otherwise)',
  }
  return `${sum} for gateway ${version.text}${newer}${why[versionFrom]}`
}

function asJson(file: string, { findings, version, versionFrom }: CheckResult) {
  return {
    file,
    version: version.text,
    versionFrom,
    findings: findings.map(({ severity, rule, path, message, suggestion, origin }) => ({
      severity,
      rule,
      path,
      message,
      ...(suggestion !== undefined && { suggestion }),
      ...(origin !== undefined && { line: origin.line, column: origin.column }),
    })),
  }
}
