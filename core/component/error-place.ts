import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Where in a component's own code an error arose: `path:line:column` of the first frame of its stack, or of a cause's, in
 * the folder of `source`. Packages below that folder are not the component.
 * @param source path of the file that the component was loaded from
 */
export function errorPlace(error: unknown, source: string): string | undefined {
  const folder = `${dirname(source)}${sep}`
  for (const frame of framesOf(error)) {
    if (frame.file.startsWith(folder) && !frame.file.slice(folder.length).includes('node_modules')) return text(frame)
  }
  return undefined
}

/** A line of a stack that names a file. */
export interface StackFrame {
  readonly file: string
  readonly line: string
  readonly column: string | undefined
}

/** The frames of an error and of its causes that lie in files, innermost first. */
export function* framesOf(error: unknown): Generator<StackFrame> {
  let at = error
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth++) {
    const { stack, cause } = at as { readonly stack?: unknown; readonly cause?: unknown }
    if (typeof stack === 'string') for (const line of stack.split('\n')) yield* frameOf(line)
    at = cause
  }
}

/** Enough for every honest chain of causes, and an end to circular ones. */
const MAX_DEPTH = 8
const FRAME = /(?:^|[\s(])(file:\/\/\S+?|\/\S+?|[A-Za-z]:\\\S+?)(?:\?[^:\s]*)?:(\d+)(?::(\d+))?\)?$/

function* frameOf(line: string): Generator<StackFrame> {
  const match = FRAME.exec(line.trimEnd())
  if (match === null) return
  const [, place, number, column] = match as unknown as [string, string, string, string | undefined]
  try {
    yield { file: place.startsWith('file:') ? fileURLToPath(place) : place, line: number, column }
  } catch {
    // A URL that names no file of this machine.
  }
}

function text({ file, line, column }: StackFrame): string {
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`
}
