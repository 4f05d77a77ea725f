/** One simple command of a shell script: a program and its arguments, quotes taken off. */
export interface Command {
  /** The program without its directory, behind assignments and wrappers such as `sudo`. Empty for a mere assignment. */
  readonly program: string
  readonly args: readonly string[]
  /** Variables that are set for it or in general. */
  readonly assignments: readonly string[]
  /** Programs that it is run by: `sudo`, `env`, `xargs`, ... */
  readonly wrappers: readonly string[]
  readonly redirects: readonly Redirect[]
  /** What stands before it in its pipe, nearest last. */
  readonly upstream: readonly Command[]
  /** Commands whose output is part of its words: `$(...)`, backticks, `<(...)`. */
  readonly substitutions: readonly Command[]
  /** As written, shortened. */
  readonly text: string
}

/** `>`, `>>`, `<`, `<<<` and where to or from. */
export interface Redirect {
  readonly operator: string
  readonly target: string
}
