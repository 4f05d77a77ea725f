import { CLASSES, type ClassName } from './classes.ts'

/** What decides on the activity. */
export interface ActivityHints {
  /** Event name, in lower case. */
  readonly word: string
  readonly method: string
  readonly operation: string
  /** What the source says itself. */
  readonly explicit: unknown
}

/** The activity of an event of a class: one of the class's ids; 99 when there is a word but no id for it, else 0. */
export function activityOf(name: ClassName, hints: ActivityHints): number {
  const { activities } = CLASSES[name]
  if (typeof hints.explicit === 'number' && hints.explicit in activities) return hints.explicit
  switch (name) {
    case 'base':
      return hints.word === '' ? 0 : 99
    case 'http':
      return HTTP[hints.method] ?? 0
    case 'authentication':
      return AUTHENTICATION.match(hints.word) ?? 1
    case 'api':
      return OPERATIONS.match(hints.operation.toLowerCase()) ?? 99
    case 'entity':
      return OPERATIONS.match(hints.word) ?? 99
    case 'process':
      return /exit|terminat|kill/.test(hints.word) ? 2 : 1
    case 'lifecycle':
      return LIFECYCLE.match(hints.word) ?? 99
    default:
      return 1
  }
}

/** Patterns in order of precedence, and the texts looked at lately. */
class Rules {
  readonly #rules: readonly (readonly [RegExp, number])[]
  readonly #known = new Map<string, number | undefined>()

  constructor(rules: readonly (readonly [RegExp, number])[]) {
    this.#rules = rules
  }

  match(text: string): number | undefined {
    const known = this.#known.get(text)
    if (known !== undefined || this.#known.has(text)) return known
    const found = this.#rules.find(([pattern]) => pattern.test(text))?.[1]
    if (this.#known.size >= 1024) this.#known.clear()
    this.#known.set(text, found)
    return found
  }
}

const HTTP: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(CLASSES.http.activities).map(([id, caption]) => [caption.toUpperCase(), Number(id)]),
)

const AUTHENTICATION = new Rules([
  [/logout|logoff|signout/, 2],
  [/switch/, 7],
  [/ticket|token/, 3],
])

/** The verb that an operation's name begins with, or that begins a part of it. */
const OPERATIONS = new Rules([
  [/(^|[/._-])(get|list|read|search|query|fetch|describe|find|view)/, 2],
  [/(^|[/._-])(create|add|insert|post|new|put)/, 1],
  [/(^|[/._-])(update|set|patch|edit|write|modify|rename)/, 3],
  [/(^|[/._-])(delete|remove|drop|destroy)/, 4],
])

const LIFECYCLE = new Rules([
  [/uninstall|remov/, 2],
  [/install/, 1],
  [/restart/, 5],
  [/start/, 3],
  [/stop/, 4],
  [/enabl/, 6],
  [/disabl/, 7],
  [/updat/, 8],
])
