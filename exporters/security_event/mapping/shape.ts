/** What records with the same attribute names in the same order have in common, found once. */
export interface Shape {
  /** As read, repetitions included. */
  readonly read: readonly string[]
  /** Each name once. */
  readonly names: readonly string[]
  /** Where in `names` a name is. */
  readonly index: ReadonlyMap<string, number>
  /** Each name as JSON with a colon. */
  readonly heads: readonly string[]
  /** Indexes of `names` in an order that does not depend on that of the record. */
  readonly order: readonly number[]
  /** Indexes into what was read of the first attribute of each name; `undefined` when no name is repeated. */
  readonly firsts: readonly number[] | undefined
}

const LATEST: (Shape | undefined)[] = new Array(8).fill(undefined)
let next = 0

/** The shape of these names, remembered for the shapes seen last. */
export function shapeOf(read: readonly string[]): Shape {
  for (const shape of LATEST) if (shape !== undefined && same(shape.read, read)) return shape
  const made = makeShape(read)
  LATEST[next] = made
  next = (next + 1) % LATEST.length
  return made
}

function same(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function makeShape(read: readonly string[]): Shape {
  const firsts = [...new Map(read.map((name, i) => [name, i] as const).toReversed()).values()].sort((a, b) => a - b)
  const names = firsts.map(i => read[i]!)
  const order = names.map((_, i) => i).sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
  const heads = names.map(name => `${JSON.stringify(name)}:`)
  const index = new Map(names.map((name, i) => [name, i]))
  return { read, names, index, heads, order, firsts: firsts.length === read.length ? undefined : firsts }
}
