import { encodeMessage } from './builder.ts'
import { messageFromJson } from './json-in.ts'
import { messageToJson } from './json-out.ts'
import { MessageType, nested, one } from './message-type.ts'
import type { Signal } from './signal.ts'
import { validateMessage } from './validate.ts'
import { validationPlan } from './validation-plan.ts'

/** What the answer to an export says when some of it was not taken (https://opentelemetry.io/docs/specs/otlp/#partial-success). */
export interface PartialSuccess {
  /** Items that the server will not take; 0 when the message is only a warning. */
  readonly rejected: number
  readonly message: string
}

const REJECTED = {
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
  logs: 'rejectedLogRecords',
  profiles: 'rejectedProfiles',
} as const satisfies Record<Signal, string>

const RESPONSE: Readonly<Record<Signal, MessageType>> = {
  traces: response('traces'),
  metrics: response('metrics'),
  logs: response('logs'),
  profiles: response('profiles'),
}

/** `Export*ServiceResponse`. */
function response(signal: Signal): MessageType {
  const partialSuccess = new MessageType('ExportPartialSuccess', () => [
    one(1, REJECTED[signal], 'int64'),
    one(2, 'errorMessage', 'string'),
  ])
  return new MessageType('ExportServiceResponse', () => [nested(1, 'partialSuccess', partialSuccess)])
}

/** The answer to an export as protobuf. For full success, 0 and no message, it is empty. */
export function encodePartialSuccess(signal: Signal, rejected: number, message: string): Buffer {
  return encodeMessage(RESPONSE[signal], plainResponse(signal, rejected, message))
}

/** The same as OTLP/JSON; `{}` for full success. */
export function partialSuccessToJson(signal: Signal, rejected: number, message: string): string {
  return messageToJson(RESPONSE[signal], encodePartialSuccess(signal, rejected, message))
}

/**
 * What an answer in protobuf says; undefined for full success.
 *
 * @throws {Malformed} when the bytes are no such answer.
 */
export function decodePartialSuccess(signal: Signal, bytes: Buffer): PartialSuccess | undefined {
  if (bytes.length === 0) return undefined
  validateMessage(validationPlan(RESPONSE[signal]), bytes)
  const { partialSuccess } = JSON.parse(messageToJson(RESPONSE[signal], bytes))
  const rejected = Number(partialSuccess?.[REJECTED[signal]] ?? 0)
  const message: string = partialSuccess?.errorMessage ?? ''
  return rejected === 0 && message === '' ? undefined : { rejected, message }
}

/**
 * What an answer in OTLP/JSON says; undefined for full success.
 *
 * @throws {Malformed} when the text is no such answer.
 */
export function partialSuccessFromJson(signal: Signal, json: Buffer | string): PartialSuccess | undefined {
  return decodePartialSuccess(signal, messageFromJson(RESPONSE[signal], json))
}

function plainResponse(signal: Signal, rejected: number, message: string): object {
  if (rejected === 0 && message === '') return {}
  const count = rejected === 0 ? undefined : rejected
  return { partialSuccess: { [REJECTED[signal]]: count, errorMessage: message === '' ? undefined : message } }
}
