import { PermanentError } from '#core/component'

/** What a component from a file does wrong: it lies in a folder of its own, as such components do. */
export function boom(): never {
  throw new Error('boom')
}

export function refuse(): never {
  throw new PermanentError('too old')
}
