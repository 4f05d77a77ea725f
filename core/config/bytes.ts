/** Text that is not a size. */
export class InvalidBytes extends Error {
  override name = 'InvalidBytes'
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ...['k', 'm', 'g', 't'].flatMap(
    (letter, index) =>
      [
        [`${letter}b`, 1000 ** (index + 1)],
        [`${letter}ib`, 1024 ** (index + 1)],
      ] as const,
  ),
])

/**
 * Reads a size: `4MiB`, `64KiB`, `1.5GB`, or a plain number of bytes. KiB, MiB, GiB and TiB count by 1024; kB, MB, GB
 * and TB by 1000; upper and lower case mean the same.
 * @returns bytes, a whole number
 * @throws {InvalidBytes}
 */
export function parseBytes(text: string): number {
  const match = /^([0-9]+(?:\.[0-9]+)?) ?([a-zA-Z]*)$/.exec(text)
  const factor = match && UNITS.get(match[2]!.toLowerCase())
  const bytes = factor ? Number(match[1]) * factor : Number.NaN
  if (!Number.isFinite(bytes)) {
    throw new InvalidBytes(
      `invalid size ${JSON.stringify(text)}: must be a number of bytes or have a unit, as in 64KiB or 4MiB`,
    )
  }
  if (!Number.isSafeInteger(bytes))
    throw new InvalidBytes(`invalid size ${JSON.stringify(text)}: not a whole number of bytes`)
  return bytes
}

/** Bytes in the largest unit that leaves a whole number: `4MiB`, `1500B`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let index = 0
  let value = bytes
  while (value !== 0 && value % 1024 === 0 && index < units.length - 1) {
    value /= 1024
    index++
  }
  return `${value}${units[index]}`
}
