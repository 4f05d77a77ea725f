import { expect, onTestFinished, test } from 'vitest'
import { networkFault } from './address-guard.ts'
import { createFetcher } from './create-fetcher.ts'
import { FetchError, type FetcherOptions, type Resolver } from './fetcher.ts'
import { serve, type TestServer } from './server.test-support.ts'

/** Addresses that may not be asked, as they may be written in a URL; `P` is the canary's port. */
const FORMS = [
  ...['127.0.0.1:P', '127.1:P', '127.0.1:P', '127.255.255.254:P', '127.0.0.1.:P', '0.0.0.0:P', '0:P', '0.0.0.0.:P'],
  ...['2130706433:P', '0x7f.1:P', '0x7f000001:P', '0x7F.0x0.0x0.0x1:P', '0177.0.0.1:P', '017700000001:P', '0177.1:P'],
  ...['１２７.0.0.1:P', '①②⑦.⓪.⓪.①:P', '127。0。0。1:P', '127%2e0%2e0%2e1:P', '%31%32%37.0.0.1:P'],
  ...['[::1]:P', '[::]:P', '[0:0:0:0:0:0:0:1]:P', '[::ffff:127.0.0.1]:P', '[::ffff:7f00:1]:P', '[::127.0.0.1]:P'],
  ...['[64:ff9b::127.0.0.1]:P', '[64:ff9b:1::7f00:1]:P', '[2002:7f00:1::]:P', '[2001:0:7f00:1::]:P', '[fe80::1]:P'],
  ...['[fc00::1]:P', '[fd00:ec2::254]:P', '[fec0::1]:P', '[ff02::1]:P', '[100::1]:P', '[2001:db8::1]:P', '[5f00::1]:P'],
  ...['10.0.0.1:P', '172.16.0.1:P', '172.31.255.255:P', '192.168.1.1:P', '169.254.169.254', '169.254.1.1:P'],
  ...[
    '100.64.0.1:P',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '198.18.0.1:P',
    '192.0.2.1:P',
    '203.0.113.9:P',
  ],
  ...[
    '224.0.0.1:P',
    '240.0.0.1:P',
    '255.255.255.255:P',
    '192.88.99.1:P',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
  ],
]

/** Names that lead to addresses that may not be asked. */
const NAMES = [
  'localhost:P',
  'localhost.:P',
  'LOCALHOST:P',
  'lo%63alhost:P',
  'ｌｏｃａｌｈｏｓｔ:P',
  'canary.example:P',
  'mixed.example:P',
]

/** URLs that are none to ask, whatever they lead to. */
const OTHERS = [
  'http://user:secret@127.0.0.2:P/',
  'http://user@127.0.0.2:P/',
  'ftp://127.0.0.2/',
  'file:///etc/passwd',
  'gopher://127.0.0.2:P/',
  'data:text/plain,hello',
  'javascript:1',
  'http://[fe80::1%25lo]:P/',
  'http://127.0.0.1%00.example/',
  'not a url',
  '',
  `http://127.0.0.2:P/${'a'.repeat(9000)}`,
]

const resolve: Resolver = async host => {
  if (host === 'mixed.example') return ['127.0.0.2', '127.0.0.1']
  if (host.startsWith('stand-in')) return ['127.0.0.2']
  return ['127.0.0.1']
}

/** The whole of 127.0.0.2 stands in for the public network; what listens everywhere must not hear of anybody. */
async function lab(options: Partial<FetcherOptions> = {}) {
  const canary = await serve((_, response) => response.end('secret of the inside'), '0.0.0.0')
  const everywhere = await serve((_, response) => response.end('secret of the inside'), '::').catch(() => undefined)
  const open = await serve((request, response) => {
    const to = new URL(request.url!, 'http://open').searchParams.get('to')
    if (to === null) response.end('public')
    else response.writeHead(302, { location: encodeURI(to).replaceAll('%25', '%'), connection: 'close' }).end()
  }, '127.0.0.2')
  const fetcher = createFetcher({
    userAgent: 'test',
    guard: { allowPrivate: ['127.0.0.2/32'], ports: [80, 443, canary.port, ...(everywhere ? [everywhere.port] : [])] },
    resolve,
    connectTimeout: 30_000,
    ...options,
  })
  onTestFinished(async () => {
    await fetcher.close()
    await Promise.all([canary, open, everywhere].map(each => each?.[Symbol.asyncDispose]()))
  })
  return { canary, everywhere, open, fetcher }
}

async function refusal(attempt: Promise<unknown>, what = ''): Promise<FetchError> {
  const error = await attempt.then(
    () => undefined,
    error => error,
  )
  expect(error).toBeInstanceOf(FetchError)
  expect(error.reason, `${what}: ${error.message}`).toBe('refused')
  expect(`${error.message} ${error.cause ?? ''}`).not.toMatch(/\d+\.\d+\.\d+|::|secret/)
  return error
}

function written(forms: readonly string[], server: TestServer): string[] {
  return forms.map(form =>
    (/^[a-z]*:|^not|^$/.test(form) ? form : `http://${form}/`).replace(':P/', `:${server.port}/`),
  )
}

test('no form of an address that is not public is asked, directly or by a redirect', async () => {
  const { canary, everywhere, open, fetcher } = await lab()
  for (const server of [canary, everywhere].filter(each => each !== undefined)) {
    for (const url of [...written(FORMS, server), ...written(NAMES, server)]) {
      await refusal(fetcher.fetch(url))
      await refusal(fetcher.fetch(`${open.url}/?to=${encodeURIComponent(url)}`), url)
      await refusal(fetcher.fetch(url.replace('http:', 'https:')))
    }
    expect(server.connections).toBe(0)
  }
  expect(open.connections).toBeGreaterThan(FORMS.length)
})

test('a URL that is not HTTP, carries credentials or is none is not asked, directly or by a redirect', async () => {
  const { open, fetcher } = await lab()
  for (const url of OTHERS.map(each => each.replace(':P/', `:${open.port}/`))) {
    await refusal(fetcher.fetch(url))
    if (url.length < 1000 && /^[a-z]+:/.test(url))
      await refusal(fetcher.fetch(`${open.url}/?to=${encodeURIComponent(url)}`))
  }
})

test('a name that meant a public address and now means an inner one is not asked again', async () => {
  const answers = [['127.0.0.2'], ['127.0.0.1']]
  const { canary, open, fetcher } = await lab({ resolve: async () => answers.shift() ?? ['127.0.0.1'] })
  const url = `http://rebinding.example:${open.port}/?to=${encodeURIComponent(`http://rebinding.example:${canary.port}/`)}`
  await refusal(fetcher.fetch(url))
  expect(open.connections).toBe(1)
  expect(canary.connections).toBe(0)
})

test('a public address is asked at the ports of the web only', async () => {
  const fetcher = createFetcher({ userAgent: 'test', guard: { allowPrivate: [] }, resolve: async () => ['192.0.2.1'] })
  onTestFinished(() => fetcher.close())
  for (const port of [22, 25, 6379, 8080]) await refusal(fetcher.fetch(`http://8.8.8.8:${port}/`))
  await refusal(fetcher.fetch('http://documentation.example/'))
})

test('an allowed network is asked at any port, by address and by name', async () => {
  const { open, fetcher } = await lab()
  expect(Buffer.from((await fetcher.fetch(open.url)).body).toString()).toBe('public')
  expect((await fetcher.fetch(`http://stand-in.example:${open.port}/`)).status).toBe(200)
})

test('without a guard the named host is exempt, and where it leads to is not', async () => {
  const { canary, open } = await lab()
  const fetcher = createFetcher({ userAgent: 'test', resolve })
  onTestFinished(() => fetcher.close())
  expect((await fetcher.fetch(`http://127.0.0.1:${canary.port}/`)).status).toBe(200)
  const reached = canary.connections
  await refusal(fetcher.fetch(`${open.url}/?to=${encodeURIComponent(`http://127.0.0.1:${canary.port}/`)}`))
  await refusal(fetcher.fetch(`${open.url}/?to=${encodeURIComponent('http://169.254.169.254/latest/meta-data')}`))
  expect(canary.connections).toBe(reached)
  expect((await fetcher.fetch(`${open.url}/?to=${encodeURIComponent('/elsewhere')}`)).url).toBe(`${open.url}/elsewhere`)
})

test('the environment names no proxy for it', async () => {
  const { canary, open, fetcher } = await lab()
  const before = { ...process.env }
  Object.assign(process.env, {
    HTTP_PROXY: `http://127.0.0.1:${canary.port}`,
    http_proxy: `http://127.0.0.1:${canary.port}`,
  })
  onTestFinished(() => {
    process.env = before
  })
  expect((await fetcher.fetch(open.url)).status).toBe(200)
  expect(canary.connections).toBe(0)
})

test('a network that is none is told when the fetcher is made', () => {
  expect(() => createFetcher({ userAgent: 'test', guard: { allowPrivate: ['10.0.0.0'] } })).toThrow(
    'A network that may be asked must be a network in CIDR notation such as 10.0.0.0/8, is 10.0.0.0',
  )
  expect(networkFault('fd00::/8')).toBeUndefined()
})
