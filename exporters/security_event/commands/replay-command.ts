import { basename } from 'node:path'
import { type Command, type CommandInvocation, type Logger, systemClock } from '#core/component'
import { check, fromPlain, t } from '#core/config'
import { admit, merge } from '#core/data'
import { createHttpClient, type HttpClient, httpClientFields, partialSuccess } from '#core/net'
import type { DeadLetter } from '../dead_letter/entry.ts'
import { deadLetterFiles, keepRest, readDeadLetters } from '../dead_letter/files.ts'

/** Records in one request. */
const CHUNK = 500

/**
 * Hands the log records of a dead letter to a collector once more. Going through a collector means that mapping,
 * credentials, limits and retries are those configured there now; ids of events stay the same.
 */
export const replayCommand: Command = {
  name: 'security-event dead-letter replay',
  summary: 'Hands events that could not be delivered to a collector again, and removes what it took',
  usage: '<directory> [--endpoint http://localhost:4318] [--reason <reason>]...',
  options: {
    endpoint: {
      type: 'string',
      description: 'OTLP/HTTP receiver of the collector',
      default: 'http://localhost:4318',
    },
    header: { type: 'string', multiple: true, description: 'Header of the requests as name=value; may be repeated' },
    reason: { type: 'string', multiple: true, description: 'Only events with this reason; may be repeated' },
  },
  run: replay,
}

async function replay(invocation: CommandInvocation): Promise<number> {
  const { options, operands, stdout, stderr, signal } = invocation
  const [directory] = operands
  if (directory === undefined || operands.length > 1) {
    stderr.write('Error: the directory of the dead letter must be given\n')
    return 2
  }
  const headers = (options.header ?? []) as readonly string[]
  const written = { timeout: '30s', headers: Object.fromEntries(headers.map(each => each.split(/=(.*)/s))) }
  const checked = check(t.section(httpClientFields()), fromPlain(written))
  if (checked.faults !== undefined) {
    for (const { path, message } of checked.faults) stderr.write(`Error: ${path}: ${message}\n`)
    return 2
  }
  const client = await createHttpClient(checked.value, {
    clock: systemClock,
    logger: SILENT,
    userAgent: 'millrace-replay',
  })
  const url = `${String(options.endpoint).replace(/\/$/, '')}/v1/logs`
  const wanted = options.reason === undefined ? undefined : new Set(options.reason as readonly string[])
  const tally = { sent: 0 }
  try {
    for (const { path, open } of await deadLetterFiles(directory)) {
      if (open) {
        stderr.write(`${basename(path)} is being written and left alone\n`)
        continue
      }
      await replayFile(
        path,
        entry => wanted?.has(entry.reason) ?? true,
        async records => {
          await post(client, url, records, signal)
          tally.sent += records.length
        },
      )
    }
  } catch (error) {
    stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  } finally {
    await client.close()
    stdout.write(`${tally.sent} events handed over\n`)
  }
  return 0
}

/** Hands over the wanted entries of a file; what was not taken stays in it, also when a request fails. */
async function replayFile(
  path: string,
  wants: (entry: DeadLetter) => boolean,
  post: (entries: readonly DeadLetter[]) => Promise<void>,
): Promise<void> {
  const { entries, damaged } = await readDeadLetters(path)
  const kept = entries.filter(entry => !wants(entry))
  const todo = entries.filter(wants)
  let done = 0
  try {
    for (; done < todo.length; done += CHUNK) await post(todo.slice(done, done + CHUNK))
  } finally {
    const rest = [...kept, ...todo.slice(done)]
    if (done > 0 && damaged === 0) await keepRest(path, rest)
  }
}

async function post(
  client: HttpClient,
  url: string,
  entries: readonly DeadLetter[],
  signal: AbortSignal,
): Promise<void> {
  const payloads = entries.map(entry => admit('logs', Buffer.from(entry.otlp, 'base64')).payload)
  const body = merge(payloads).pieces()
  const reply = await client.post(url, body, { 'content-type': 'application/x-protobuf' }, { signal })
  if (reply.status < 200 || reply.status > 299) throw new Error(`The collector answered ${reply.status}`)
  const partial = reply.body.length === 0 ? undefined : partialSuccess(reply.body)
  if (partial !== undefined && partial.rejected > 0) {
    throw new Error(`The collector rejected ${partial.rejected} of ${entries.length} records: ${partial.message}`)
  }
}

const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  enabled: () => false,
  with: () => SILENT,
}
