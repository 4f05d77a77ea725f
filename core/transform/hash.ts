import { hash } from 'node:crypto'
import type { Value, ValueKind } from '#core/data'

/**
 * The SHA-256 of a value in hex: of the UTF-8 of a string, of one byte for a boolean, of eight bytes in little endian for
 * an integer or a double. Of other values the empty string, so that nothing of them remains.
 * Source: contrib `internal/coreinternal/attraction` since v0.85.0, where feature gate `hash.sha256` became stable.
 */
export function hashOf(value: Value, kind: ValueKind | undefined): string {
  if (typeof value === 'string') return hash('sha256', value)
  if (typeof value === 'boolean') return hash('sha256', Buffer.of(value ? 1 : 0))
  if (typeof value !== 'number' && typeof value !== 'bigint') return ''
  const bytes = Buffer.alloc(8)
  if (kind === 'double') bytes.writeDoubleLE(Number(value))
  else bytes.writeBigInt64LE(BigInt(value))
  return hash('sha256', bytes)
}
