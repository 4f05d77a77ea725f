#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Before anything else is loaded, so that everything else comes from the cache at the second start.
enableCompileCache()
const [{ runProcess }, { millrace }, { buildCommands }] = await Promise.all([
  import('#core/service'),
  import('./index.ts'),
  import('#core/build'),
])
const defaultConfig = fileURLToPath(new URL('../../config/default.yaml', import.meta.url))
await runProcess(millrace, { defaultSources: [defaultConfig], commands: buildCommands(millrace) })
