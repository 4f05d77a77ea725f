import { countOf, fieldsOf } from './fields.ts'

/** Tokens of one model call or of a whole turn, and what they cost. */
export interface Usage {
  /** Tokens of the prompt that came from no cache. */
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** US dollars, where the gateway knows the price. */
  readonly cost: number | undefined
}

/** Reads the gateway's `usage` objects, whose cost is a number or an object with a `total`; undefined if nothing is in it. */
export function usageOf(value: unknown): Usage | undefined {
  const fields = fieldsOf(value)
  const [input, output] = [countOf(fields.input), countOf(fields.output)]
  const cost = countOf(fields.cost) ?? countOf(fieldsOf(fields.cost).total)
  if (input === undefined && output === undefined && cost === undefined) return undefined
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: countOf(fields.cacheRead) ?? 0,
    cacheWrite: countOf(fields.cacheWrite) ?? 0,
    cost,
  }
}

/** Two usages together. A cost that only one of them knows is the cost of both. */
export function added(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: a.cost === undefined ? b.cost : a.cost + (b.cost ?? 0),
  }
}

/** Tokens of the prompt in the sense of `gen_ai.usage.input_tokens`: those from the cache count. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite
}
