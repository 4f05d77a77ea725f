import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../../distributions/millrace/main.ts')

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The main module; default: the full distribution's. */
  readonly main?: string
}

/** The program as users start it, in a process of its own. */
export class Program implements AsyncDisposable {
  readonly #process: ChildProcess
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], { main = MAIN, ...options }: ProgramOptions = {}) {
    this.#process = spawn(process.execPath, [main, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    // 'close' and not 'exit': by then all output has been read.
    this.exit = once(this.#process, 'close').then(([code, signal]) => ({ code, signal }))
  }

  get pid(): number {
    return this.#process.pid ?? -1
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  /** Standard input, given and closed. */
  input(text: string): void {
    this.#process.stdin?.end(text)
  }

  /** The log lines so far; for configurations with JSON logs. */
  logs(): Record<string, unknown>[] {
    return this.stderr
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line) as Record<string, unknown>)
  }

  /** The `endpoint` field of the first line with this message, once there is one. */
  endpoint(message: string): string | undefined {
    return this.logs().find(line => line.msg === message)?.endpoint as string | undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill('SIGKILL')
    await this.exit
  }
}
