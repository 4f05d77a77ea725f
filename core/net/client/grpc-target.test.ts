import { describe, expect, test } from 'vitest'
import { endpointFault, grpcTarget } from './grpc-target.ts'

describe('an endpoint', () => {
  const name = (host: string, port: number) => ({ name: { host, port } })
  const fixed = (host: string, port: number) => ({ fixed: [{ host, port }] })
  test.each([
    ['backend:4317', 'backend:4317', false, name('backend', 4317)],
    ['http://backend:4317', 'backend:4317', false, name('backend', 4317)],
    ['HTTPS://backend:443/', 'backend:443', true, name('backend', 443)],
    ['dns:///backend:4317', 'backend:4317', false, name('backend', 4317)],
    ['dns:backend:4317', 'backend:4317', false, name('backend', 4317)],
    ['dns://8.8.8.8/backend:4317', 'backend:4317', false, name('backend', 4317)],
    ['passthrough:///backend:4317', 'backend:4317', false, name('backend', 4317)],
    [':4317', 'localhost:4317', false, name('localhost', 4317)],
    ['127.0.0.1:4317', '127.0.0.1:4317', false, fixed('127.0.0.1', 4317)],
    ['[::1]:4317', '[::1]:4317', false, fixed('::1', 4317)],
    ['unix:///run/otel.sock', 'localhost', false, { fixed: [{ path: '/run/otel.sock' }] }],
    ['unix:otel.sock', 'localhost', false, { fixed: [{ path: 'otel.sock' }] }],
  ])('%s', (endpoint, authority, secure, where) => {
    expect(grpcTarget(endpoint)).toMatchObject({ authority, secure, ...where })
  })

  test.each([
    ['backend', 'address backend: missing port in address'],
    ['https://backend', 'address backend: missing port in address'],
    ['backend:http', 'invalid port "http"'],
    ['https://me:hush@backend', 'must be host:port, without user and password'],
    ['backend:', 'invalid port ""'],
    ['::1:4317', 'address ::1:4317: too many colons in address'],
  ])('%s has a fault', (endpoint, fault) => {
    expect(endpointFault(endpoint)).toBe(fault)
    expect(() => grpcTarget(endpoint)).toThrow(fault)
  })
})
