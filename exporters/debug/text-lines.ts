import type { AttributesJson } from './otlp-json.ts'
import { typedText } from './words.ts'

/** Collects the lines of a text. */
export class TextLines {
  readonly #lines: string[] = []

  /** All lines, each with its end; nothing when there are none. */
  text(): string {
    return this.#lines.map(line => `${line}\n`).join('')
  }

  line(text: string): void {
    this.#lines.push(text)
  }

  /** `    name           : value`, values of one record under each other. */
  field(name: string, value: string | number): void {
    this.line(`    ${name.padEnd(15)}: ${value}`)
  }

  /** The header, then an arrow for each item, four columns and an arrow further in; nothing when there are none. */
  list(header: string, items: readonly string[] = []): void {
    if (items.length === 0) return
    this.line(`${header}:`)
    const arrow = header.indexOf('->')
    const indent = `${' '.repeat(Math.max(0, arrow))}     ->`
    for (const item of items) this.line(`${indent} ${item}`)
  }

  /** A list of `key: Type(value)`. */
  attributes(header: string, attributes: AttributesJson = []): void {
    this.list(
      header,
      attributes.map(({ key = '', value }) => `${key}: ${typedText(value)}`),
    )
  }
}
