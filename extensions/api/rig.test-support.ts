import type { Route } from '#core/component'
import { configure, TestHost, testContext } from '#core/testing'
import { apiConfig } from './config.ts'
import { ApiExtension } from './extension.ts'

/** A started api extension on a port of its own, and a way to ask it. `await using` shuts it down. */
export async function runningApi(written: object = {}, options: { extensions?: Record<string, object> } = {}) {
  const host = new TestHost(options.extensions)
  const context = testContext({ id: 'api', kind: 'extension' })
  const extension = new ApiExtension(configure(apiConfig, { endpoint: '127.0.0.1:0', ...written }), context)
  await extension.start(host)
  return {
    host,
    context,
    extension,
    url: (path: string) => `http://${extension.address}${path}`,
    ask: (path: string, init: RequestInit = {}) => fetch(`http://${extension.address}${path}`, init),
    [Symbol.asyncDispose]: () => extension.shutdown(),
  }
}

/** A route with all that it must say; `over` replaces parts. */
export function route(over: Partial<Route>): Route {
  return { method: 'GET', path: '/test', summary: 'For a test', handle: () => ({ body: { ok: true } }), ...over }
}

/** A request with a JSON body. */
export function json(body: unknown, init: RequestInit = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...init }
}

/** Status and code of an answer that must be a fault in the one shape. */
export async function faultIn(response: Response): Promise<string> {
  const body = (await response.json()) as { error: string; code: string }
  if (Object.keys(body).join() !== 'error,code') throw new Error(`Not a fault: ${JSON.stringify(body)}`)
  if (!/^[A-Z].*[^.]$/s.test(body.error) || !/^[A-Z][A-Z0-9_]*$/.test(body.code)) {
    throw new Error(`Not a sentence and a code: ${JSON.stringify(body)}`)
  }
  return `${response.status} ${body.code}`
}
