/**
 * Names of the shared files of a bundle that depend on nothing but their content: a bundler's own take in where the
 * sources lie. A file is called after the module that it begins with, numbered when there are several.
 * @param fixed names that stay
 */
export function stableNames(
  files: ReadonlyMap<string, Uint8Array>,
  fixed: ReadonlySet<string>,
): ReadonlyMap<string, Uint8Array> {
  const texts = new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  const hashed = [...files.keys()].filter(
    name => !fixed.has(name.replace(/\.map$/, '')) && /-[A-Z0-9]{8}\.js$/.test(name),
  )
  if (hashed.length === 0) return files
  const any = new RegExp(hashed.map(name => name.replace('.', '\\.')).join('|'), 'g')
  const plain = (name: string) => texts.get(name)!.replace(any, found => `${stemOf(found)}.js`)
  const order = hashed
    .map(name => ({ name, stem: stemOf(name), text: plain(name) }))
    .sort((a, b) => compare(a.stem, b.stem) || compare(a.text, b.text))
  const taken = new Set(fixed)
  const names = new Map<string, string>()
  for (const { name, stem } of order) {
    let wanted = `${stem}.js`
    for (let i = 2; taken.has(wanted); i++) wanted = `${stem}-${i}.js`
    taken.add(wanted)
    names.set(name, wanted)
  }
  const renamed = (text: string) => text.replace(any, found => names.get(found)!)
  return new Map([...texts].map(([name, text]) => [renamed(name), Buffer.from(renamed(text))] as const).sort(byName))
}

function stemOf(name: string): string {
  return name.replace(/-[A-Z0-9]{8}\.js$/, '')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compare(a, b)
}
