import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { encodeMessage } from '#core/data'
import { PROFILE } from './profile-message.ts'

const compress = promisify(gzip)

/** Where in the program something happened, as V8 tells it: lines and columns from 0. */
export interface CallFrame {
  readonly functionName: string
  /** Empty for what is not JavaScript. */
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** What is measured: a word and its unit, for example `cpu` in `nanoseconds`. */
export type Measure = readonly [type: string, unit: string]

/** What a profile says about itself. */
export interface ProfileHead {
  readonly measures: readonly Measure[]
  /** What there is between two samples, on average. */
  readonly period: Measure
  readonly periodLength: number
  /** Milliseconds since the Unix epoch at which sampling began. */
  readonly start: number
  /** Milliseconds. */
  readonly duration: number
}

interface Sample {
  readonly locationId: readonly number[]
  readonly value: number[]
}

/** Gathers samples by stack: its size is bounded by how many stacks there are, not by how long it is used. */
export class ProfileBuilder {
  readonly #strings = new Map<string, number>([['', 0]])
  readonly #functions: object[] = []
  readonly #locations = new Map<string, number>()
  readonly #lines: object[] = []
  readonly #samples = new Map<string, Sample>()

  /** The number of a place in the program; the same for the same place. */
  location(frame: CallFrame): number {
    const { functionName, url, lineNumber, columnNumber } = frame
    const key = `${functionName}\n${url}\n${lineNumber}\n${columnNumber}`
    let id = this.#locations.get(key)
    if (id === undefined) {
      id = this.#locations.size + 1
      this.#locations.set(key, id)
      const file = fileOf(url)
      const name = this.#string(nameOf(frame, file))
      const line = lineNumber + 1
      this.#functions.push({ id, name, systemName: name, filename: this.#string(file), startLine: line })
      this.#lines.push({ id, line: [{ functionId: id, line, column: columnNumber + 1 }] })
    }
    return id
  }

  /** Adds to what was measured at a stack: numbers of places, the innermost first. */
  add(stack: readonly number[], values: readonly number[]): void {
    const key = stack.join(',')
    const sample = this.#samples.get(key)
    if (sample === undefined) this.#samples.set(key, { locationId: stack, value: [...values] })
    else for (const [i, value] of values.entries()) sample.value[i]! += value
  }

  /** The profile as pprof reads it: protobuf, compressed with gzip. */
  finish({ measures, period, periodLength, start, duration }: ProfileHead): Promise<Buffer> {
    const type = ([word, unit]: Measure) => ({ type: this.#string(word), unit: this.#string(unit) })
    const profile = {
      sampleType: measures.map(type),
      sample: [...this.#samples.values()],
      location: this.#lines,
      function: this.#functions,
      timeNanos: BigInt(Math.round(start * 1000)) * 1000n,
      durationNanos: Math.round(duration * 1e6),
      periodType: type(period),
      period: periodLength,
    }
    return compress(encodeMessage(PROFILE, { ...profile, stringTable: [...this.#strings.keys()] }))
  }

  #string(text: string): number {
    let at = this.#strings.get(text)
    if (at === undefined) {
      at = this.#strings.size
      this.#strings.set(text, at)
    }
    return at
  }
}

function fileOf(url: string): string {
  if (!url.startsWith('file://')) return url
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

/** Functions without a name are told apart by where they stand. */
function nameOf({ functionName, lineNumber }: CallFrame, file: string): string {
  if (functionName !== '') return functionName
  return file === '' ? '(anonymous)' : `(anonymous) ${file.slice(file.lastIndexOf('/') + 1)}:${lineNumber + 1}`
}
