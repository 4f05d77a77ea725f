/** A pattern in which `*` stands for any characters and `?` for one. */
export function wildcard(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
}

/** A test for names: one of `included` (none: every name) and none of `excluded`. */
export function nameFilter(included: readonly string[], excluded: readonly string[]): (name: string) => boolean {
  const [wanted, unwanted] = [included.map(wildcard), excluded.map(wildcard)]
  return name => (wanted.length === 0 || wanted.some(one => one.test(name))) && !unwanted.some(one => one.test(name))
}
