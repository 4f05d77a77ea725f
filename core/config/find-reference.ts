/**
 * Finds the first reference, `${…}`, that can be expanded: the innermost one around the first closing brace. Follows
 * the Collector to the letter, its quirk included: when the first reference is escaped by an odd number of `$` before
 * it, the search ends and later ones in the same text stay as they are.
 * @param anyName whether `${NAME}` without a scheme counts
 * @returns the reference with its braces, or undefined
 */
export function findReference(text: string, anyName: boolean): string | undefined {
  let start = 0
  for (;;) {
    const close = text.indexOf('}', start)
    if (close < 0) return undefined
    const open = text.lastIndexOf('${', close)
    const reference = open < start ? undefined : text.slice(open, close + 1)
    if (reference !== undefined && (anyName || reference.includes(':'))) {
      return isEscaped(text, open, start) ? undefined : reference
    }
    start = close + 1
  }
}

function isEscaped(text: string, open: number, start: number): boolean {
  let dollars = 0
  while (open - dollars - 1 >= start && text[open - dollars - 1] === '$') dollars++
  return dollars % 2 === 1
}
