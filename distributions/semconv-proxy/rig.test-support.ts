import { EventEmitter } from 'node:events'
import { type Consumers, systemClock } from '#core/component'
import { SIGNALS, type Signal } from '#core/data'
import { configure, Sink, TestHost, testContext, until } from '#core/testing'
import { otlpReceiver } from '../../receivers/otlp/index.ts'
import { freePorts } from '../../test/bench/ports.ts'
import { runProxy } from './run-proxy.ts'

/** An OTLP backend in this process, of one protocol. */
export async function backend(protocol: 'grpc' | 'http', port = 0) {
  const sink = new Sink()
  const config = configure(otlpReceiver.config, { protocols: { [protocol]: { endpoint: `127.0.0.1:${port}` } } })
  const context = testContext({ id: 'otlp', kind: 'receiver', clock: systemClock })
  const next = Object.fromEntries(SIGNALS.map(signal => [signal, sink])) as Consumers
  const receiver = otlpReceiver.create(config, next, context)
  await receiver.start?.(new TestHost())
  const line = context.logger.lines.find(each => /^Starting (GRPC|HTTP) server$/.test(each.message))!
  return {
    sink,
    address: String(line.fields?.endpoint),
    /** Bytes received of a signal, request by request. Requests without items, as the proxy's own question, are left out. */
    bytes: (signal: Signal) =>
      sink.payloads.filter(each => each.signal === signal && each.items > 0).map(each => each.flat()),
    stop: async () => receiver.shutdown?.(),
    [Symbol.asyncDispose]: async () => receiver.shutdown?.(),
  }
}

/** The proxy, run as its main program runs it, in this process on free ports. `await using` ends it as SIGTERM does. */
export async function proxy(dataDir: string, backendEndpoint: string, more: readonly string[] = []) {
  const [grpc, http, api] = (await freePorts(3)) as [number, number, number]
  const signals = new EventEmitter()
  let errors = ''
  const argv = [
    ...['--backend-endpoint', backendEndpoint, '--data-dir', dataDir, '--listen-host', '127.0.0.1'],
    ...[
      `--otlp-grpc-port=${grpc}`,
      `--otlp-http-port=${http}`,
      `--api-port=${api}`,
      '--backend-compression=none',
      ...more,
    ],
  ]
  let code: number | undefined
  const ended = runProxy(argv, {
    stdin: process.stdin,
    stdout: { write: () => true },
    stderr: {
      write: text => {
        errors += text
      },
    },
    env: {},
    onSignal(signal, handler) {
      signals.on(signal, handler)
      return () => signals.off(signal, handler)
    },
  }).then(result => {
    code = result
    return result
  })
  const base = `http://127.0.0.1:${api}`
  const json = async (path: string) => (await fetch(base + path)).json() as Promise<Tree>
  await until(async () => {
    if (code !== undefined) throw new Error(`The proxy ended with ${code}: ${errors}`)
    return (await fetch(`${base}/readyz`).catch(() => undefined))?.ok === true
  })
  const stop = async () => {
    signals.emit('SIGTERM')
    return ended
  }
  return {
    base,
    grpc: `127.0.0.1:${grpc}`,
    http: `127.0.0.1:${http}`,
    json,
    /** Sum of an own metric over the series whose labels contain `part`. */
    async metric(name: string, part = '') {
      const text = await (await fetch(`${base}/metrics`)).text()
      const lines = text.split('\n').filter(line => line.startsWith(`${name}{`) && line.includes(part))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
type Tree = any
