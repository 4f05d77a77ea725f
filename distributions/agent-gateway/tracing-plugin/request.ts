import type { Usage } from './usage.ts'

/**
 * One request: a message and all that the gateway does about it, in one trace. Ids are settled when it is exported,
 * because the gateway tells its own trace late.
 */
export interface Request {
  traceId: string | undefined
  /** The span id of the gateway's outermost context of the turn, which its own spans name as their parent. */
  rootId: string | undefined
  /** A span outside the gateway that began the request. */
  parentId: string | undefined
  readonly start: number
  /** When something was last heard of it. */
  last: number
  sessionKey: string | undefined
  sessionId: string | undefined
  channel: string | undefined
  sender: string | undefined
  messageId: string | undefined
  /** What the message said; kept only where content may leave. */
  content: string | undefined
  /** Replies being sent, and replies that were sent; a channel tells one or both. */
  sending: number
  sent: number
  sendError: boolean
  readonly turns: Turn[]
  /** Whether its own span was exported. What comes later becomes spans under it. */
  exported: boolean
  /** Whether it waits to be exported. */
  open: boolean
  /** Ids that spans of it have already. */
  readonly used: Set<string>
}

/** What started a turn, where it is the work of a subagent. */
export interface Cause {
  readonly turn: Turn
  readonly subagent: Subagent
}

/** What an agent does for a request: one run of the gateway. */
export interface Turn {
  readonly runId: string
  readonly request: Request
  /** The span id of the gateway's context of the run, which model and tool calls name as their parent. */
  spanId: string | undefined
  /** Whether `spanId` is settled. */
  settled: boolean
  exported: boolean
  cause: Cause | undefined
  start: number
  /** Whether `start` is what the gateway says, not the first that was heard. */
  prepared: boolean
  end: number | undefined
  /** Whether the model gave its last answer, as far as can be seen. */
  answered: boolean
  success: boolean | undefined
  error: string | undefined
  durationMs: number | undefined
  agentId: string | undefined
  provider: string | undefined
  model: string | undefined
  trigger: string | undefined
  harness: string | undefined
  /** Tokens of the run as the gateway adds them up. */
  usage: Usage | undefined
  /** Tokens of its model calls together, as the messages of the model tell them. */
  spent: Usage | undefined
  /** Whether calls have their tokens. */
  callsTell: boolean
  /** Cost of the run in US dollars, as the gateway says when it replies. */
  cost: number | undefined
  contextLimit: number | undefined
  contextUsed: number | undefined
  inputMessages: string | undefined
  outputMessages: string | undefined
  systemPrompt: string | undefined
  readonly calls: Map<string, ModelCall>
  readonly tools: Map<string, ToolCall>
  readonly subagents: Map<string, Subagent>
}

/** Something with a beginning and an end. One of the times is known at least. */
export interface Timed {
  start: number | undefined
  end: number | undefined
  /** How long it took as the gateway measured it. */
  durationMs: number | undefined
}

/** One call of a model. */
export interface ModelCall extends Timed {
  spanId: string | undefined
  provider: string | undefined
  model: string | undefined
  api: string | undefined
  transport: string | undefined
  error: string | undefined
  requestBytes: number | undefined
  responseBytes: number | undefined
  timeToFirstByteMs: number | undefined
  usage: Usage | undefined
  stopReason: string | undefined
  responseId: string | undefined
}

/** One call of a tool. */
export interface ToolCall extends Timed {
  readonly name: string
  readonly id: string | undefined
  failed: boolean
  error: string | undefined
  synthetic: boolean | undefined
  resultChars: number | undefined
  resultParts: number | undefined
  input: string | undefined
  output: string | undefined
}

/** A subagent that a turn started. */
export interface Subagent extends Timed {
  exported: boolean
  readonly sessionKey: string
  spanId: string | undefined
  agentId: string | undefined
  model: string | undefined
  outcome: string | undefined
}

/** A request of which nothing is known but when it began. */
export function newRequest(now: number): Request {
  return {
    ...{ traceId: undefined, rootId: undefined, parentId: undefined, start: now, last: now },
    ...{ sessionKey: undefined, sessionId: undefined, channel: undefined, sender: undefined, messageId: undefined },
    ...{ content: undefined, sending: 0, sent: 0, sendError: false, turns: [], exported: false, open: true },
    used: new Set(),
  }
}

/** A turn of `request` of which nothing is known but its run. */
export function newTurn(runId: string, request: Request, now: number): Turn {
  return {
    ...{ runId, request, spanId: undefined, settled: false, exported: false, start: now },
    ...{ prepared: false, end: undefined, cause: undefined },
    ...{ answered: false, success: undefined, error: undefined, durationMs: undefined, agentId: undefined },
    ...{ provider: undefined, model: undefined, trigger: undefined, harness: undefined, usage: undefined },
    ...{ spent: undefined, callsTell: false, cost: undefined, contextLimit: undefined, contextUsed: undefined },
    ...{ inputMessages: undefined, outputMessages: undefined, systemPrompt: undefined },
    ...{ calls: new Map(), tools: new Map(), subagents: new Map() },
  }
}
