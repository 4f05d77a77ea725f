const UNIT: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }

/**
 * A `grpc-timeout` header in milliseconds: at most eight digits and a unit. `Infinity` without one, `undefined` when it
 * is malformed. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#requests
 */
export function parseGrpcTimeout(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return Number.POSITIVE_INFINITY
  const match = typeof header === 'string' ? /^(\d{1,8})([HMSmun])$/.exec(header) : null
  return match === null ? undefined : Number(match[1]) * UNIT[match[2]!]!
}
