import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { tempDir, until } from '#core/testing'
import { Behaviour, cli, configured, TestIo, testDistribution } from './cli.test-support.ts'
import { runCli } from './run-cli.ts'

function running(args: readonly string[] = configured(), behaviour = new Behaviour()) {
  const io = new TestIo()
  const code = runCli(testDistribution(behaviour), args, io)
  return { io, code, behaviour, ready: () => until(() => io.err.includes('Everything is ready')) }
}

describe('run', () => {
  test.each([
    ['SIGINT', 'interrupt'],
    ['SIGTERM', 'terminated'],
  ] as const)('runs until %s, then stops gracefully', async (signal, name) => {
    const { io, code, behaviour, ready } = running(['run', ...configured()])
    await ready()
    io.signal(signal)
    expect(await code).toBe(0)
    expect(behaviour.events).toEqual(['start r', 'stop r'])
    expect(io.err).toMatch(new RegExp(`Received signal from OS.*"signal":"${name}"[^]*Shutdown complete`))
    expect(io.watching).toBe(0)
  })

  test('ends at once on a second signal, with a code that says which', async () => {
    const behaviour = new Behaviour()
    const hanging = Promise.withResolvers<void>()
    behaviour.stop = () => hanging.promise
    const { io, code, ready } = running(configured(), behaviour)
    await ready()
    io.signal('SIGTERM')
    await until(() => behaviour.events.includes('stop r'))
    io.signal('SIGINT')
    expect(await code).toBe(130)
    hanging.resolve()
  })

  test('gives up what has not stopped by the deadline, and says so', async () => {
    const behaviour = new Behaviour()
    const hanging = Promise.withResolvers<void>()
    behaviour.stop = () => hanging.promise
    const { io, code, ready } = running(['--shutdown-timeout=20ms', ...configured()], behaviour)
    await ready()
    io.signal('SIGTERM')
    expect(await code).toBe(4)
    expect(io.err).toContain('Shutdown deadline passed')
    hanging.resolve()
  })

  test('tells when a component fails to stop', async () => {
    const behaviour = new Behaviour()
    behaviour.stop = () => Promise.reject(new Error('stuck'))
    const { io, code, ready } = running(configured(), behaviour)
    await ready()
    io.signal('SIGTERM')
    expect(await code).toBe(4)
    expect(io.err).toMatch(/\nError: .*stuck/)
  })

  test('stops when a signal comes while it is starting', async () => {
    const behaviour = new Behaviour()
    const slow = Promise.withResolvers<void>()
    behaviour.start = () => slow.promise
    const { io, code } = running(configured(), behaviour)
    await until(() => behaviour.events.includes('start r'))
    io.signal('SIGTERM')
    slow.resolve()
    expect(await code).toBe(0)
    expect(behaviour.events).toContain('stop r')
  })

  test('fails when a component does not start', async () => {
    const behaviour = new Behaviour()
    behaviour.start = () => Promise.reject(new Error('address in use'))
    const { io, code } = running(configured(), behaviour)
    expect(await code).toBe(1)
    expect(io.err).toMatch(/\nError: cannot start pipelines: failed to start "r" receiver: address in use\n$/)
  })

  test('fails when the configuration is bad', async () => {
    expect(await cli(configured('service::pipelines::traces::receivers: []'))).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^Error: invalid configuration: .*service::pipelines::traces: must have at least one receiver\n$/,
      ),
    })
  })

  test('ends when a component fails fatally', async () => {
    const behaviour = new Behaviour()
    let fail = (_: Error) => {}
    behaviour.start = fatal => {
      fail = fatal
    }
    const { io, code, ready } = running(configured(), behaviour)
    await ready()
    fail(new Error('disk on fire'))
    expect(await code).toBe(3)
    expect(io.err).toContain('\nError: disk on fire\n')
    expect(behaviour.events).toEqual(['start r', 'stop r'])
  })

  test('reads its configuration again on SIGHUP; a bad one leaves the old one running', async () => {
    await using dir = await tempDir()
    const path = dir.file('more.yaml')
    await writeFile(path, 'receivers: {r: {port: 1}}')
    const { io, code, behaviour, ready } = running([...configured(), '--config', path])
    await ready()

    await writeFile(path, 'receivers: {r: {port: 2}}')
    io.signal('SIGHUP')
    await until(() => io.err.includes('Config updated'))
    expect(behaviour.events).toEqual(['start r', 'stop r', 'start r'])

    await writeFile(path, 'receivers: {r: {port: x}}')
    io.signal('SIGHUP')
    await until(() => io.err.includes('Config not updated'))
    expect(behaviour.events).toEqual(['start r', 'stop r', 'start r'])

    io.signal('SIGTERM')
    expect(await code).toBe(0)
  })
})
