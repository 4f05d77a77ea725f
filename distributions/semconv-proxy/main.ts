#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded, so that everything else comes from the cache at the second start.
enableCompileCache()
const [{ runProxy }, { processEnvironment }] = await Promise.all([import('./run-proxy.ts'), import('#core/config')])
const flushed = (stream: NodeJS.WriteStream) => new Promise<void>(resolve => stream.write('', () => resolve()))
const code = await runProxy(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: processEnvironment(),
  onSignal(signal, handler) {
    process.on(signal, handler)
    return () => process.off(signal, handler)
  },
})
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit(code)
