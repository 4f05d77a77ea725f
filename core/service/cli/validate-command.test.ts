// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { Behaviour, cli, configured, testDistribution } from './cli.test-support.ts'

const validate = (text?: string, env?: Record<string, string>) =>
  cli(['validate', ...configured(text)], env === undefined ? {} : { env })

describe('validate', () => {
  test('says nothing when all is well, starts nothing and closes what it created', async () => {
    const behaviour = new Behaviour()
    let created = 0
    behaviour.create = () => created++
    const result = await cli(['validate', ...configured()], { distribution: testDistribution(behaviour) })
    expect(result).toEqual({ code: 0, out: '', err: '' })
    expect({ created, events: behaviour.events }).toEqual({ created: 1, events: ['stop r'] })
  })

  test('tells what is deprecated or not set, and is content', async () => {
    const used = 'service: {pipelines: {traces: {processors: [old_q]}}}'
    const { code, err } = await validate(
      `{processors: {old_q: }, receivers: {r: {tags: ["\${env:NOT_SET}"]}}, ${used}}`,
    )
    expect(code).toBe(0)
    expect(err.split('\n').toSorted()).toEqual([
      '',
      'Warning: yaml:1:15  processors::old_q: "old_q" alias is deprecated; use "q" instead',
      'Warning: yaml:1:48  receivers::r::tags: Configuration references unset environment variable name=NOT_SET',
    ])
  })

  test('tells a single fault behind the prefix of its stage, but without `invalid configuration`', async () => {
    expect(await validate('service::pipelines::traces::receivers: [r/2]')).toEqual({
      code: 1,
      out: '',
      err: 'Error: yaml:service::pipelines::traces::receivers:1:41  service::pipelines::traces: references receiver "r/2" which is not configured\n',
    })
    expect((await validate('receivers::r::port: ${nope:1}')).err).toBe(
      'Error: failed to get config: cannot resolve the configuration: yaml:receivers::r::port:1:21  receivers::r::port: scheme "nope" is not supported for uri "nope:1"\n',
    )
    expect((await cli(['validate', '--config', '/no/such/file.yaml'])).err).toBe(
      'Error: failed to get config: cannot resolve the configuration: cannot retrieve the configuration: unable to read the file file:/no/such/file.yaml: no such file or directory\n',
    )
  })

  test('tells several faults below it, a line each, with file, line and column', async () => {
    await using dir = await tempDir()
    const path = dir.file('c.yaml')
    await (await import('node:fs/promises')).writeFile(
      path,
      'receivers:\n  r:\n    prt: 1\n    opaque: [hush]\nexporters:\n  e: {timeout: 5x}\n',
    )
    const { code, err } = await cli(['validate', '--config', path])
    expect(code).toBe(1)
    const lines = err.split('\n')
    expect(lines[0]).toBe('Error: failed to get config: cannot unmarshal the configuration:')
    expect(lines).toContain(`  ${path}:3:5  receivers::r: has invalid keys: prt (did you mean "port"?)`)
    expect(lines).toContain(`  ${path}:6:16  exporters::e::timeout: time: unknown unit "x" in duration "5x"`)
    expect(err).not.toContain('hush')
  })

  test('asks the components themselves, also for what only shows when they are created', async () => {
    expect((await validate('receivers::r::port: 13')).err).toBe(
      'Error: yaml:receivers::r::port:1:21  receivers::r::port: cannot be 13\n',
    )
    const behaviour = new Behaviour()
    behaviour.create = () => {
      throw new Error('no such device')
    }
    const { code, err } = await cli(['validate', ...configured()], { distribution: testDistribution(behaviour) })
    expect(code).toBe(1)
    expect(err).toMatch(/^Error: failed to build pipelines: .*no such device\n$/)
  })
})
