import { expect, test } from 'vitest'
import { rewriteImports } from './rewrite-imports.ts'

test.each([
  ["new URL('./worker.ts', import.meta.url)", "new URL('./worker.js', import.meta.url)"],
  ['new URL("../analysis/worker.ts", import.meta.url).href', 'new URL("../analysis/worker.js", import.meta.url).href'],
  ["new URL(\n  'worker.ts',\n  import.meta.url)", "new URL(\n  'worker.js',\n  import.meta.url)"],
  ["export { a } from './a.ts'", "export { a } from './a.js'"],
  ["import './a.ts'", "import './a.js'"],
  ["type A = import('../a.ts').A", "type A = import('../a.js').A"],
  ["import type { A } from './a.d.ts'", "import type { A } from './a.d.ts'"],
  ["const files = ['telemetry.ts', 'telemetry.js']", "const files = ['telemetry.ts', 'telemetry.js']"],
  ["new URL('config.yaml', import.meta.url)", "new URL('config.yaml', import.meta.url)"],
  ["import fish from 'fish.ts'", "import fish from 'fish.ts'"],
])('%s', (text, expected) => {
  expect(rewriteImports(text)).toBe(expected)
})
