import { cp, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { installPackage } from '../library/project.test-support.ts'
import { addProject, ROOT, run, spansThrough } from './project.test-support.ts'

const SLOW = 240_000

test('the published package builds in an empty project, and what it builds runs', { timeout: SLOW }, async () => {
  await using dir = await tempDir()
  const { path } = await installPackage(dir.path)
  await addProject(path)
  const main = join(path, 'node_modules/millrace/distributions/millrace/main.js')

  const without = await run(path, main, 'build')
  expect([without.code, without.stderr]).toEqual([
    1,
    'Error: esbuild is needed to build a distribution and not installed: npm install --save-dev esbuild\n',
  ])

  await symlink(join(ROOT, 'node_modules/esbuild'), join(path, 'node_modules/esbuild'), 'junction')
  expect(await run(path, main, 'build')).toMatchObject({ code: 0, stderr: '' })
  expect(await run(path, main, 'build', '--check')).toMatchObject({ code: 0, stderr: '' })
  const { statuses, spans } = await spansThrough(join(path, 'dist'), '--config', join(path, 'config.yaml'))
  expect([statuses, spans.map(({ name }) => name)]).toEqual([
    [401, 200],
    ['GET /', 'POST /login'],
  ])

  await run(path, main, 'build', 'init', 'begun/builder.yaml')
  expect(await run(path, main, 'build', '--config', 'begun/builder.yaml')).toMatchObject({ code: 0, stderr: '' })
  const own = join(path, 'node_modules/millrace/distributions/agent-gateway/builder.yaml')
  await cp(own, join(path, 'gateway.yaml'))
  expect(await run(path, main, 'build', '--config', 'gateway.yaml', '--output-path', 'gateway')).toMatchObject({
    code: 0,
  })
  const list = await readFile(join(path, 'gateway/components.ts'), 'utf8')
  expect(list).toContain("import { agentGatewayProcessor } from 'millrace/processors/agent_gateway'")
})
