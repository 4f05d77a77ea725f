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
 * do not mix and a crash loses none. A line that cannot be written, for instance because the disk is full, is told to
 * the outputs of `error_output_paths`; logging never fails.
 * @throws when a file cannot be opened
 */
export function openLogOutput(
  paths: readonly string[],
  streams: StandardStreams,
  errorPaths: readonly string[] = [],
): LogOutput {
  const files: number[] = []
  const open = (path: string): ((line: string) => void) => {
    if (path === 'stdout') return line => void streams.stdout.write(line)
    if (path === 'stderr') return line => void streams.stderr.write(line)
    const file = openSync(path, 'a')
    files.push(file)
    return line => void writeSync(file, line)
  }
  const writers = paths.map(open)
  const errorWriters = errorPaths.map(open)
  const complain = (error: unknown) => {
    const line = `${new Date().toISOString()} write error: ${error instanceof Error ? error.message : String(error)}\n`
    for (const write of errorWriters) attempt(write, line, () => {})
  }
  return {
    write(line) {
      for (const write of writers) attempt(write, line, complain)
    },
    close() {
      for (const file of files.splice(0)) closeSync(file)
      writers.length = 0
      errorWriters.length = 0
    },
  }
}

function attempt(write: (line: string) => void, line: string, failed: (error: unknown) => void): void {
  try {
    write(line)
  } catch (error) {
    failed(error)
  }
}
