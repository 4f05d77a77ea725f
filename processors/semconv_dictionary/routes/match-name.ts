/**
 * Whether names are meant by a pattern: `*` stands for any characters, as in `http.*`, and the rest must be the whole
 * name; without `*` the pattern may stand anywhere in the name.
 */
export function nameMatcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return name => name.includes(pattern)
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  return name => {
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= name.length - last.length
  }
}
