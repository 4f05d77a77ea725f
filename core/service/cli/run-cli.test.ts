import { describe, expect, test } from 'vitest'
import { until } from '#core/testing'
import { cli, configured, TestIo, testDistribution } from './cli.test-support.ts'
import { runCli } from './run-cli.ts'

describe('the command line', () => {
  test.each([['--version'], ['-v']])('%s prints name and version', async flag => {
    expect(await cli([flag])).toEqual({ code: 0, out: 'mill version 1.2.3\n', err: '' })
  })

  test.each([['--help'], ['-h']])('%s lists commands, options and exit codes', async flag => {
    const { code, out, err } = await cli([flag])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const word of ['validate', 'components', 'print-config', 'schema', 'docs', 'featuregate', 'x greet']) {
      expect(out).toContain(`\n  ${word} `)
    }
    for (const word of [
      '--config <value>',
      '--set <value>',
      '--feature-gates <value>',
      '-h, --help',
      '-v, --version',
    ]) {
      expect(out).toContain(word)
    }
    expect(out).toContain('(default 30s)')
    expect(out).toContain('Exit codes:')
    expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(120)
  })

  test.each([
    'run',
    'validate',
    'components',
    'print-config',
    'print-initial-config',
    'schema',
    'docs',
    'featuregate',
    'x greet',
  ])('%s --help tells its usage', async command => {
    const { code, out } = await cli([...command.split(' '), '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/\n\nUsage:\n {2}mill \S+/)
    expect(out).toContain('--help')
  })

  test.each([
    [['validat'], 'unknown command "validat" for "mill" (did you mean "validate"?)'],
    [['zzz'], 'unknown command "zzz" for "mill"'],
    [['--confg', 'x'], 'unknown flag: --confg (did you mean "--config"?)'],
    [['-z'], 'unknown flag: -z'],
    [['--config'], 'flag needs an argument: --config'],
    [[], 'at least one config flag must be provided'],
    [['validate'], 'at least one config flag must be provided'],
    [['validate', 'extra', '--config', 'x'], 'unexpected argument "extra"'],
    [['--config', 'x', '--set', 'key:name'], 'invalid value "key:name" for flag -set: missing equal sign'],
    [['components', '--format', 'xml'], 'unrecognized format "xml": must be yaml or json'],
    [
      ['print-config', '--config', 'x', '--mode', 'unrecognized'],
      'unrecognized mode "unrecognized": must be redacted or unredacted',
    ],
    [
      ['print-config', '--config', 'x', '--validate=maybe'],
      'invalid argument "maybe" for "--validate" flag: must be true or false',
    ],
    [
      ['--config', 'x', '--shutdown-timeout', '5'],
      'invalid argument "5" for "--shutdown-timeout" flag: time: missing unit in duration "5"',
    ],
    [
      ['--config', 'x', '--shutdown-timeout=-5s'],
      'invalid argument "-5s" for "--shutdown-timeout" flag: must not be negative, got -5s',
    ],
    [['--config', 'x', '--feature-gates', 'nope'], /^no such feature gate "nope"\. valid gates: \[confmap/],
    [['--config', 'x', '--feature-gates', 'a,,b'], /^(no such feature gate|empty feature gate)/],
  ] as [string[], string | RegExp][])('%j is refused', async (args, message) => {
    const { code, out, err } = await cli(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const [error, hint] = err.split('\n')
    expect(error).toMatch(/^Error: /)
    if (typeof message === 'string') expect(error).toBe(`Error: ${message}`)
    else expect(error!.slice('Error: '.length)).toMatch(message)
    expect(hint).toBe('Run "mill --help" for usage.')
  })

  test('values may begin with a dash, and gates may be switched either way', async () => {
    const gate = 'service.AllowNoPipelines'
    expect((await cli(['featuregate', gate, '--feature-gates', `-${gate}`])).out).toContain('Enabled: false')
    expect((await cli(['featuregate', gate, '--feature-gates', `+${gate}`])).out).toContain('Enabled: true')
    const twice = ['featuregate', gate, '--feature-gates', gate, `--feature-gates=-${gate}`]
    expect((await cli(twice)).out).toContain('Enabled: false')
  })
})

describe('commands of components', () => {
  test('get options and operands, and their code is the exit code', async () => {
    expect(await cli(['x', 'greet', 'a', 'b'])).toEqual({ code: 7, out: 'hello a b\n', err: '' })
    expect(await cli(['x', 'greet', '-l', '--name=c'])).toEqual({ code: 7, out: 'HELLO C\n', err: '' })
  })

  test('refuse what they do not know', async () => {
    expect(await cli(['x', 'greet', '--lod'])).toMatchObject({ code: 2, err: expect.stringContaining('--loud') })
  })

  test('are told to stop by a signal', async () => {
    const io = new TestIo()
    const code = runCli(testDistribution(), ['x', 'wait'], io)
    await until(() => io.out !== '')
    io.signal('SIGTERM')
    expect(await code).toBe(0)
    expect(io.watching).toBe(0)
  })
})

describe('featuregate', () => {
  test('lists all gates', async () => {
    const { code, out } = await cli(['featuregate'])
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toMatch(/^ID +Enabled +Stage +Description$/)
    expect(out).toMatch(/\nservice\.partialReloadReceivers +true +Beta +/)
    expect(out).toMatch(/\nservice\.profilesSupport +false +Alpha +/)
  })

  test('shows one', async () => {
    expect((await cli(['featuregate', 'service.profilesSupport'])).out).toBe(
      'Feature: service.profilesSupport\nEnabled: false\nStage: Alpha\nDescription: Allows pipelines of profiles\nFrom Version: v0.112.0\n',
    )
    expect(await cli(['featuregate', 'x'])).toEqual({ code: 1, out: '', err: 'Error: feature "x" not found\n' })
  })
})

test('default sources are used when no --config is given', async () => {
  const defaultSources = configured().slice(1)
  expect(await cli(['validate'], { settings: { defaultSources } })).toEqual({ code: 0, out: '', err: '' })
})
