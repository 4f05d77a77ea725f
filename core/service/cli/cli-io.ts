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
  /** Calls `handler` with what is thrown or rejected and never caught, which then does nothing else. Returns how to stop. */
  onUncaught?(handler: (error: unknown) => void): () => void
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
    onUncaught(handler) {
      // A rejection that nobody handles comes as an exception, too, unless it is handled here.
      const events = ['uncaughtException', 'unhandledRejection'] as const
      for (const event of events) process.on(event, handler)
      return () => {
        for (const event of events) process.off(event, handler)
      }
    },
  }
}
