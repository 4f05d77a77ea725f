import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks a second in `/proc/<pid>/stat`: fixed at 100 in Linux' interface to user space. */
const TICKS = 100

/** A process of the bench: its answers on standard output are lines of JSON. */
export class Child {
  readonly #process: ChildProcess
  readonly #lines: string[] = []
  readonly #waiting: ((line: string) => void)[] = []
  readonly exited: Promise<number | null>

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
    this.exited = new Promise(resolve => this.#process.on('exit', code => resolve(code)))
    let rest = ''
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const next = this.#waiting.shift()
        if (next === undefined) this.#lines.push(line)
        else next(line)
      }
    })
  }

  get pid(): number {
    return this.#process.pid ?? -1
  }

  /** The next line of standard output, parsed. */
  async read<T>(): Promise<T> {
    const line = this.#lines.shift() ?? (await new Promise<string>(resolve => this.#waiting.push(resolve)))
    return JSON.parse(line) as T
  }

  write(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  /** User and system CPU seconds of all threads so far. Linux only. */
  cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  }

  /** Peak resident memory in MiB. Linux only. */
  peakMiB(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#process.kill(signal)
    await this.exited
  }
}
