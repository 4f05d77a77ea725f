import { type Environment, processEnvironment } from '#core/config'

export type CliSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface TextSink {
  write(text: string): unknown
}

/** What the command line uses of the process, so that tests and embedding programs can stand in for it. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: TextSink
  readonly stderr: TextSink
  readonly env: Environment
  /** Calls `handler` each time the signal arrives, which then does nothing else. Returns how to stop. */
  onSignal(signal: CliSignal, handler: () => void): () => void
}

/** The process itself. */
export function processIo(): CliIo {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: processEnvironment(),
    onSignal(signal, handler) {
      process.on(signal, handler)
      return () => process.off(signal, handler)
    },
  }
}
