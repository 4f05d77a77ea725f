/** The names of a new component, all made from the one that was given. */
export interface Names {
  /** In configurations, `redact_cards`. */
  readonly type: string
  /** Of the export, `redactCards`. */
  readonly variable: string
  /** Of folder and files, `redact_cards`. */
  readonly file: string
  /** What the test beside it imports, `./redact_cards.ts`. */
  readonly module: string
}

/** A word that cannot name a component. The message says why, without full stop. */
export class InvalidName extends Error {
  override name = 'InvalidName'
}

/** @throws {InvalidName} */
export function namesOf(text: string): Names {
  const type = text.replaceAll('-', '_')
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(type) || type.endsWith('_') || type.includes('__')) {
    throw new InvalidName(
      `invalid name "${text}": it must be words of small letters and digits, joined by _, such as redact_cards`,
    )
  }
  const variable = type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (RESERVED.has(variable)) throw new InvalidName(`invalid name "${text}": it is a word of JavaScript`)
  return { type, variable, file: type, module: `./${type}.ts` }
}

const RESERVED = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static super
  switch this throw true try typeof var void while with yield arguments eval config test t subject`.split(/\s+/),
)
