import { type AddressInfo, createServer } from 'node:net'

/** `count` ports of loopback that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  await Promise.all(servers.map(server => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

/** Resolves once `url` answers 200; rejects after `limit` milliseconds. */
export async function answers(url: string, limit = 20_000): Promise<void> {
  const until = performance.now() + limit
  for (;;) {
    const ok = await fetch(url).then(
      async answer => {
        await answer.arrayBuffer()
        return answer.ok
      },
      () => false,
    )
    if (ok) return
    if (performance.now() > until) throw new Error(`No answer from ${url} within ${limit} ms`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
