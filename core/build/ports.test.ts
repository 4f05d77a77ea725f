import { expect, test } from 'vitest'
import { t } from '#core/config'
import { defaultPorts, portsIn } from './ports.ts'

test('ports are those that are listened on', () => {
  const grpc = { endpoint: '0.0.0.0:4317', tls: { issuer: 'https://a:1' } }
  expect(portsIn([{ protocols: { grpc, http: { endpoint: ':4318' } } }, { endpoint: 'http://b:99' }])).toEqual([
    4317, 4318,
  ])
  expect(portsIn({ endpoint: 'unix:///run/a', other_endpoint: 'localhost:0' })).toEqual([])
})

test('ports are known of sections that are off unless written', () => {
  const http = t.section({ endpoint: t.endpoint({ description: 'E', default: 'localhost:4318' }) })
  expect(defaultPorts(t.section({ http: t.whenPresent(http, { description: 'H' }) }))).toEqual([4318])
})
