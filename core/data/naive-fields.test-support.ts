import { FIXED64, LENGTH, type Message, VARINT } from './naive.test-support.ts'

/** Whether the message or one around it has been dropped. */
export function isDropped(message: Message): boolean {
  for (let x: Message | undefined = message; x !== undefined; x = x.parent) if (x.dropped) return true
  return false
}

/** A string field; the empty string when it is absent. */
export function textOf(message: Message, name: string): string {
  return (message.content(name) as Buffer | undefined)?.toString() ?? ''
}

/** A bytes field as hexadecimal digits. */
export function hexOf(message: Message, name: string): string {
  return (message.content(name) as Buffer | undefined)?.toString('hex') ?? ''
}

/** A fixed64 field; 0 when it is absent. */
export function timeOf(message: Message, name: string): bigint {
  return (message.content(name) as Buffer | undefined)?.readBigUInt64LE() ?? 0n
}

/** Sets a string field; the empty one takes it away, as proto3 writes a default. The next two do the same. */
export function putText(message: Message, name: string, text: string): void {
  message.put(name, LENGTH, text === '' ? undefined : Buffer.from(text))
}

export function putNumber(message: Message, name: string, n: number): void {
  message.put(name, VARINT, n === 0 ? undefined : BigInt(n))
}

export function putTime(message: Message, name: string, time: bigint): void {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(time)
  message.put(name, FIXED64, time === 0n ? undefined : bytes)
}
