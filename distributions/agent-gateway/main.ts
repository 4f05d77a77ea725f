#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Before anything else is loaded, so that everything else comes from the cache at the second start.
enableCompileCache()
const [{ runProcess }, { agentGateway }] = await Promise.all([import('#core/service'), import('./index.ts')])
const defaultConfig = fileURLToPath(new URL('../../config/agent-gateway.yaml', import.meta.url))
await runProcess(agentGateway, { defaultSources: [defaultConfig] })
