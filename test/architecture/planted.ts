import { parseSource, type Source } from './tree.ts'

/** A small tree with a mistake in it, and the lines by which the rules must report it. */
export interface Planted {
  readonly sources: readonly Source[]
  readonly breaches: readonly string[]
}

/** Reads a fixture: files after lines `-- path --`, expected breaches after `-- breaches --`. `@@lines n` stands for n lines. */
export function readPlanted(text: string): Planted {
  const parts = text.split(/^-- (.+) --\n/m).slice(1)
  const files = new Map<string, string>()
  for (let i = 0; i < parts.length; i += 2) files.set(parts[i]!, parts[i + 1]!)
  const breaches = (files.get('breaches') ?? '').split('\n').filter(each => each !== '')
  files.delete('breaches')
  return { sources: [...files].map(([path, content]) => parseSource(path, grow(content))), breaches }
}

function grow(content: string): string {
  return content.replace(/^@@lines (\d+)\n/m, (_, n: string) => '//\n'.repeat(Number(n)))
}
