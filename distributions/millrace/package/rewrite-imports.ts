/**
 * What the compiler leaves alone: addresses of workers, `new URL('./worker.ts', import.meta.url)`, and relative imports
 * in typings. Both then name JavaScript.
 */
export function rewriteImports(text: string): string {
  return text
    .replace(/(\bnew URL\(\s*(['"])[^'"\n]+)\.ts(\2,\s*import\.meta\.url\))/g, '$1.js$3')
    .replace(/((?:\bfrom\s*|\bimport\(\s*|\bimport\s+)(['"])\.{1,2}\/[^'"\n]+)(?<!\.d)\.ts(\2)/g, '$1.js$3')
}
