import { closeSync, openSync, writeSync } from 'node:fs'

/** Where log lines go. */
export interface LogOutput {
  write(line: string): void
  close(): void
}

/** The process's own streams, handed in by whoever owns the process. */
export interface StandardStreams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/**
 * Opens the outputs named in `output_paths`. Files are appended to, a line a write, so that lines of several writers
 * do not mix and a crash loses none.
 * @throws when a file cannot be opened
 */
export function openLogOutput(paths: readonly string[], streams: StandardStreams): LogOutput {
  const files: number[] = []
  const writers = paths.map((path): ((line: string) => void) => {
    if (path === 'stdout') return line => void streams.stdout.write(line)
    if (path === 'stderr') return line => void streams.stderr.write(line)
    const file = openSync(path, 'a')
    files.push(file)
    return line => void writeSync(file, line)
  })
  return {
    write(line) {
      for (const write of writers) write(line)
    },
    close() {
      for (const file of files.splice(0)) closeSync(file)
      writers.length = 0
    },
  }
}
