import type { Names } from './names.ts'

/** What a new component of one kind begins as. */
export interface Template {
  /** What it does until it is changed, as a sentence. */
  readonly does: string
  component(names: Names): string
  test(names: Names): string
  /** A configuration that runs it. */
  config(names: Names): string
  /** A command that shows it at work, and what is seen then. */
  readonly attempt: readonly string[]
}

/** Sends one span with an attribute `card` to the receiver that the configurations of the templates have. */
export const SEND_A_SPAN = [
  "curl http://localhost:4318/v1/traces -H 'content-type: application/json' -d '",
  '  {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174",',
  '    "name":"pay","attributes":[{"key":"card","value":{"stringValue":"4111 1111"}}]}]}]}]}\'',
]
