import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Whether Node takes a file for a CommonJS module. */
export function isCommonJs(file: string): boolean {
  if (extname(file) !== '.js') return extname(file) === '.cjs'
  for (let at = dirname(file); ; at = dirname(at)) {
    const manifest = join(at, 'package.json')
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type !== 'module'
    if (dirname(at) === at) return true
  }
}

/**
 * A module that exports what Node says a CommonJS module does. A bundler knows the default only when such a module is
 * imported late, `await import('undici')`.
 */
export async function asModule(file: string): Promise<string> {
  const exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  const names = Object.keys(exported).filter(name => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
  return [
    `const whole = require(${JSON.stringify(file)})`,
    'export { whole as default }',
    ...names.map((name, i) => `const _${i} = whole.${name}\nexport { _${i} as ${name} }`),
  ].join('\n')
}
