/** Names whose signs are spelled out in tags. */
const SPELLED: Readonly<Record<string, string>> = {
  'c++': 'cpp',
  'c#': 'csharp',
  'f#': 'fsharp',
  '.net': 'dotnet',
  'node.js': 'nodejs',
  'next.js': 'nextjs',
  'vue.js': 'vuejs',
}

/** A keyword as sites write it in a tag: lowercase letters and digits, with `separator` between words. */
export function slugOf(keyword: string, separator: '-' | ''): string {
  const lower = keyword.trim().toLowerCase()
  return (SPELLED[lower] ?? lower)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, separator)
    .replace(/^-+|-+$/g, '')
}

/** Slugs of several keywords, each once. */
export function slugsOf(keywords: readonly string[], separator: '-' | ''): string[] {
  return [...new Set(keywords.map(keyword => slugOf(keyword, separator)).filter(slug => slug !== ''))]
}
